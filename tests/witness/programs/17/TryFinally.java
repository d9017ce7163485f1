/** finally blocks behind every way out, nested, with returns and throws of their own. */
public class TryFinally {
    static StringBuilder trace = new StringBuilder();

    static int ways(int way) {
        try {
            trace.append('a');
            if (way == 0) {
                return 1;
            }
            if (way == 1) {
                throw new IllegalStateException();
            }
            if (way == 2) {
                return 10 / (way - 2);
            }
            trace.append('b');
        } catch (IllegalStateException e) {
            trace.append('c');
            return 2;
        } finally {
            trace.append('f');
        }
        return 3;
    }

    @SuppressWarnings("finally")
    static int swallow(int way) {
        for (int i = 0; i < 3; i++) {
            try {
                if (way == i) {
                    throw new RuntimeException("lost");
                }
                if (way == i + 3) {
                    return i;
                }
            } finally {
                trace.append(i);
                if (way == 1) {
                    continue;
                }
                if (way == 2) {
                    break;
                }
                if (way == 5) {
                    return 77;
                }
            }
        }
        return -1;
    }

    static int nested(int way) {
        try {
            try {
                try {
                    return step(way);
                } finally {
                    trace.append(step(way + 1));
                }
            } catch (IndexOutOfBoundsException e) {
                trace.append('i');
                throw new IllegalArgumentException(e.getMessage());
            } finally {
                trace.append(step(way + 2));
            }
        } catch (RuntimeException e) {
            trace.append(e.getClass().getSimpleName());
            return -2;
        } finally {
            trace.append('.');
        }
    }

    static int step(int n) {
        if (n == 5) {
            throw new IndexOutOfBoundsException("five");
        }
        return n;
    }

    static class Resource implements AutoCloseable {
        final String name;

        Resource(String name) {
            this.name = name;
            trace.append('(').append(name);
            if (name.equals("bad")) {
                throw new IllegalStateException("cannot open");
            }
        }

        @Override
        public void close() {
            trace.append(')');
            if (name.equals("sticky")) {
                throw new IllegalStateException("cannot close");
            }
        }
    }

    static void resources(String first, String second, boolean fail) {
        try (Resource a = new Resource(first); Resource b = new Resource(second)) {
            trace.append(a.name.length() + b.name.length());
            if (fail) {
                throw new RuntimeException("in the body");
            }
        } catch (RuntimeException e) {
            trace.append(e.getMessage()).append(e.getSuppressed().length);
        }
    }

    public static void main(String[] args) {
        for (int way = 0; way < 4; way++) {
            try {
                trace.append(ways(way));
            } catch (ArithmeticException e) {
                trace.append('!');
            }
        }
        for (int way = 0; way < 7; way++) {
            try {
                trace.append(swallow(way));
            } catch (RuntimeException e) {
                trace.append(e.getMessage());
            }
        }
        for (int way = 1; way < 7; way++) {
            trace.append(nested(way));
        }
        resources("x", "y", false);
        resources("x", "y", true);
        resources("x", "bad", false);
        resources("x", "sticky", false);
        resources("sticky", "sticky", true);
        System.out.println(trace);
    }
}
