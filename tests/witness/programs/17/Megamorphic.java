/** Sites that reach many methods, one after the other, in turn and at random, on several threads. */
public class Megamorphic {
    enum Operation {
        C00 { @Override int of(int x) { return x % 2 == 0 ? x : next().of(x - 1); } },
        C01 { @Override int of(int x) { return x + 1; } },
        C02 { @Override int of(int x) { return x + 2; } },
        C03 { @Override int of(int x) { return x % 2 == 0 ? x : next().of(x - 4); } },
        C04 { @Override int of(int x) { return x + 4; } },
        C05 { @Override int of(int x) { return x + 5; } },
        C06 { @Override int of(int x) { return x % 2 == 0 ? x : next().of(x - 7); } },
        C07 { @Override int of(int x) { return x + 7; } },
        C08 { @Override int of(int x) { return x + 8; } },
        C09 { @Override int of(int x) { return x % 2 == 0 ? x : next().of(x - 10); } },
        C10 { @Override int of(int x) { return x + 10; } },
        C11 { @Override int of(int x) { return x + 11; } },
        C12 { @Override int of(int x) { return x % 2 == 0 ? x : next().of(x - 13); } },
        C13 { @Override int of(int x) { return x + 13; } },
        C14 { @Override int of(int x) { return x + 14; } },
        C15 { @Override int of(int x) { return x % 2 == 0 ? x : next().of(x - 16); } },
        C16 { @Override int of(int x) { return x + 16; } },
        C17 { @Override int of(int x) { return x + 17; } },
        C18 { @Override int of(int x) { return x % 2 == 0 ? x : next().of(x - 19); } },
        C19 { @Override int of(int x) { return x + 19; } },
        C20 { @Override int of(int x) { return x + 20; } },
        C21 { @Override int of(int x) { return x % 2 == 0 ? x : next().of(x - 22); } },
        C22 { @Override int of(int x) { return x + 22; } },
        C23 { @Override int of(int x) { return x + 23; } };

        private static final Operation[] ALL = values();

        abstract int of(int x);

        Operation next() {
            return ALL[(ordinal() + 1) % ALL.length];
        }
    }

    record Pair(int left, Operation right) {
    }

    static int inTurn(int rounds) {
        int sum = 0;
        for (int i = 0; i < rounds; i++) {
            for (Operation operation : Operation.ALL) {
                sum += operation.of(i);
            }
        }
        return sum;
    }

    static int atRandom(int calls, int seed) {
        int sum = 0;
        for (int i = 0; i < calls; i++) {
            seed = seed * 1103515245 + 12345;
            sum += Operation.ALL[(seed >>> 16) % Operation.ALL.length].of(seed >>> 28);
        }
        return sum;
    }

    /** What the JVM makes for records calls several methods at one site. */
    static int byHandles(int times) {
        int sum = 0;
        for (int i = 0; i < times; i++) {
            Pair pair = new Pair(i, Operation.C07);
            sum += pair.left() + (pair.equals(new Pair(i & 7, Operation.C07)) ? 1 : 0);
        }
        return sum;
    }

    static int all(int seed) {
        return inTurn(5) + atRandom(300, seed) + byHandles(40);
    }

    public static void main(String[] args) throws InterruptedException {
        // Initialises the class before there are several threads.
        Operation first = Operation.C00;
        int[] sums = new int[2];
        Thread[] workers = new Thread[sums.length];
        for (int i = 0; i < sums.length; i++) {
            int number = i;
            workers[i] = new Thread(() -> sums[number] = all(number), "worker-" + i);
            workers[i].start();
        }
        int sum = all(99);
        for (Thread worker : workers) {
            worker.join();
        }
        System.out.println(first + " " + sum + " " + sums[0] + " " + sums[1]);
    }
}
