import java.util.function.Supplier;

/** Nulls that go through fields, elements, arguments, results, copies, clones and lambda expressions. */
class NullsOnTheirWay implements Cloneable {
    static NullsOnTheirWay last;
    NullsOnTheirWay next = this;
    Object[] all = {this, this, this};
    int caught;

    NullsOnTheirWay next() {
        return next;
    }

    void set(int ignored, NullsOnTheirWay next) {
        this.next = next;
        last = next;
    }

    /** Left out. */
    static class X {
        static NullsOnTheirWay relay(NullsOnTheirWay from) {
            return from.next();
        }

        static void clear(NullsOnTheirWay to) {
            to.next = null;
        }
    }

    void meet(Supplier<Object> from) {
        try {
            from.get().hashCode();
        } catch (NullPointerException e) {
            caught++;
        }
    }

    public static void main(String[] args) throws Exception {
        NullsOnTheirWay one = new NullsOnTheirWay();
        one.meet(() -> null);
        one.set(1, null);
        one.meet(() -> one.next);
        one.meet(one::next);
        one.meet(() -> last);
        one.meet(() -> X.relay(one));
        one.meet(() -> ((NullsOnTheirWay) null).all);
        NullsOnTheirWay clone = (NullsOnTheirWay) one.clone();
        one.meet(() -> clone.next());
        one.set(2, one);
        one.meet(() -> one.next);
        X.clear(one);
        one.meet(() -> one.next);
        one.all[1] = clone.next;
        Object[] copied = new Object[4];
        System.arraycopy(one.all, 0, copied, 0, 3);
        for (int i = 0; i < copied.length; i++) {
            Object captured = copied[i];
            one.meet(() -> captured);
        }
        Object[] cloned = copied.clone();
        one.meet(() -> cloned[1]);
        one.meet(() -> cloned[3]);
        synchronized (one) {
            try {
                synchronized (clone.next) {
                    one.caught += 100;
                }
            } catch (NullPointerException e) {
                one.caught += clone.next == null ? 10 : 20;
            }
        }
        System.out.println(one.caught);
    }
}
