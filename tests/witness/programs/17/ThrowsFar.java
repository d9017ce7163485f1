/** Exceptions that cross several frames before somebody catches them, often and in loops. */
public class ThrowsFar {
    static class Own extends Exception {
        final int depth;

        Own(String message, int depth, Throwable cause) {
            super(message, cause);
            this.depth = depth;
        }
    }

    /** Without a stack trace, as code does that throws for control flow. */
    static class Quick extends RuntimeException {
        static final Quick ONE = new Quick();

        Quick() {
            super("quick", null, false, false);
        }
    }

    static int dive(int depth, int mode) throws Own {
        int before = depth * 3;
        if (depth == 0) {
            switch (mode) {
                case 0:
                    throw new Own("bottom", 0, null);
                case 1:
                    throw Quick.ONE;
                case 2:
                    Object none = null;
                    return none.hashCode();
                case 3:
                    return new int[2][3][1].length + new int[1][-1].length;
                default:
                    return before;
            }
        }
        int below = dive(depth - 1, mode);
        return before + below;
    }

    static int wrap(int depth, int mode) throws Own {
        try {
            if (depth > 3) {
                return dive(depth, mode) + 1;
            }
            return wrap(depth + 1, mode) + 1;
        } catch (Quick e) {
            if (depth > 2) {
                throw e;
            }
            return -depth;
        } catch (RuntimeException e) {
            throw new Own("wrapped", depth, e);
        }
    }

    static int loop(int mode) {
        int caught = 0;
        for (int i = 0; i < 12; i++) {
            try {
                caught += wrap(i % 5, i % 3 == 0 ? mode : 9);
                caught += 1000;
            } catch (Own e) {
                caught += e.depth;
                for (Throwable t = e; t != null; t = t.getCause()) {
                    caught++;
                }
            }
        }
        return caught;
    }

    static void throwsInHandler() {
        try {
            try {
                throw new IllegalStateException("first");
            } catch (IllegalStateException e) {
                throw new UnsupportedOperationException("second", e);
            }
        } catch (UnsupportedOperationException e) {
            System.out.println(e.getMessage() + " " + e.getCause().getMessage());
        }
    }

    public static void main(String[] args) {
        for (int mode = 0; mode < 5; mode++) {
            System.out.println(loop(mode));
        }
        throwsInHandler();
        StackTraceElement[] trace = new Throwable().getStackTrace();
        System.out.println(trace.length + " " + trace[0].getMethodName());
    }
}
