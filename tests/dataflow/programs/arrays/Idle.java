/**
 * Fills arrays, leaves them idle while others are made and filled elsewhere, and looks into them. The
 * property "others" says how many others, "locked" that arrays are locked when they are looked into,
 * and "rounds" how often all that happens while a second thread makes others all the time.
 */
class Idle {
    private static final Object[][] KEPT = new Object[4_000][];

    private static volatile boolean isOver;

    private static void fill(Object[] array) {
        array[1] = null;
    }

    private static void fillOther(Object[] array) {
        array[1] = null;
    }

    private static int look(Object[] array) {
        try {
            return array[1].hashCode();
        } catch (NullPointerException e) {
            return 1;
        }
    }

    private static void fillAll() {
        for (int i = 0; i < KEPT.length; i++) {
            KEPT[i] = new Object[2];
            fill(KEPT[i]);
        }
    }

    private static int lookAtAll(boolean locked) {
        int met = 0;
        for (Object[] array : KEPT) {
            if (locked) {
                synchronized (array) {
                    met += look(array);
                }
            } else {
                met += look(array);
            }
        }
        return met;
    }

    private static void makeOthers(int count) {
        for (int i = 0; i < count; i++) {
            fillOther(new Object[2]);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        int rounds = Integer.getInteger("rounds", 0);
        if (rounds > 0) {
            Thread maker = new Thread(() -> {
                while (!isOver) {
                    makeOthers(1_000);
                }
            });
            maker.start();
            for (int i = 0; i < rounds; i++) {
                fillAll();
                lookAtAll(false);
            }
            isOver = true;
            maker.join();
        }
        fillAll();
        makeOthers(Integer.getInteger("others", 0));
        System.out.println(lookAtAll(Boolean.getBoolean("locked")));
    }
}
