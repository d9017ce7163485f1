import java.util.Map;

/** Checksums of whatever a program computes. What depends on addresses is left out. */
public final class Sum {
    private Sum() {
    }

    /** What objects say of themselves. */
    public interface Summed {
        long sum();
    }

    public static long add(long sum, long value) {
        long mixed = (sum ^ value) * 0x9e3779b97f4a7c15L;
        return mixed ^ mixed >>> 29;
    }

    public static long add(long sum, int value) {
        return add(sum + 1, (long) value);
    }

    public static long add(long sum, short value) {
        return add(sum + 2, (long) value);
    }

    public static long add(long sum, char value) {
        return add(sum + 3, (long) value);
    }

    public static long add(long sum, byte value) {
        return add(sum + 4, (long) value);
    }

    public static long add(long sum, boolean value) {
        return add(sum + 5, value ? 1L : 2L);
    }

    public static long add(long sum, float value) {
        return add(sum + 6, (long) Float.floatToIntBits(value));
    }

    public static long add(long sum, double value) {
        return add(sum + 7, Double.doubleToLongBits(value));
    }

    public static long add(long sum, Object value) {
        if (value == null) {
            return add(sum, -1L);
        } else if (value instanceof String text) {
            return add(add(sum, text.length()), text.hashCode());
        } else if (value instanceof Number || value instanceof Boolean || value instanceof Character) {
            return box(sum, value);
        } else if (value instanceof Summed summed) {
            return add(sum, summed.sum());
        } else if (value instanceof Enum<?> constant) {
            return add(sum, constant.name());
        } else if (value instanceof Record record) {
            return add(add(sum, record.toString()), record.hashCode());
        } else if (value instanceof Class<?> type) {
            return add(sum, type.getName());
        } else if (value instanceof Throwable thrown) {
            return thrown(sum, thrown, 0);
        } else if (value instanceof Iterable<?> values) {
            for (Object element : values) {
                sum = add(sum, element);
            }
            return add(sum, 11L);
        } else if (value instanceof Map<?, ?> map) {
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                sum = add(add(sum, entry.getKey()), entry.getValue());
            }
            return add(sum, 12L);
        }
        return array(sum, value);
    }

    private static long box(long sum, Object value) {
        sum = add(sum, value.getClass().getName());
        if (value instanceof Boolean box) {
            return add(sum, box.booleanValue());
        } else if (value instanceof Character box) {
            return add(sum, box.charValue());
        } else if (value instanceof Float box) {
            return add(sum, box.floatValue());
        } else if (value instanceof Double box) {
            return add(sum, box.doubleValue());
        }
        Number number = (Number) value;
        return add(add(sum, number.longValue()), number.intValue());
    }

    private static long array(long sum, Object value) {
        if (value instanceof Object[] array) {
            for (Object element : array) {
                sum = add(sum, element);
            }
        } else if (value instanceof boolean[] array) {
            for (boolean element : array) {
                sum = add(sum, element);
            }
        } else if (value instanceof byte[] array) {
            for (byte element : array) {
                sum = add(sum, element);
            }
        } else if (value instanceof char[] array) {
            for (char element : array) {
                sum = add(sum, element);
            }
        } else if (value instanceof short[] array) {
            for (short element : array) {
                sum = add(sum, element);
            }
        } else if (value instanceof int[] array) {
            for (int element : array) {
                sum = add(sum, element);
            }
        } else if (value instanceof long[] array) {
            for (long element : array) {
                sum = add(sum, element);
            }
        } else if (value instanceof float[] array) {
            for (float element : array) {
                sum = add(sum, element);
            }
        } else if (value instanceof double[] array) {
            for (double element : array) {
                sum = add(sum, element);
            }
        } else {
            return add(sum, 13L);
        }
        return add(sum, value.getClass().getName());
    }

    /** Message, causes and the program's own frames: those of the JDK differ from release to release. */
    private static long thrown(long sum, Throwable thrown, int depth) {
        sum = add(add(sum, thrown.getClass().getName()), thrown.getMessage());
        for (StackTraceElement frame : thrown.getStackTrace()) {
            if (frame.getClassName().startsWith("Seed")) {
                sum = add(add(sum, frame.getMethodName()), frame.getLineNumber());
            }
        }
        if (depth < 4) {
            if (thrown.getCause() != null) {
                sum = thrown(sum, thrown.getCause(), depth + 1);
            }
            for (Throwable suppressed : thrown.getSuppressed()) {
                sum = thrown(sum, suppressed, depth + 1);
            }
        }
        return sum;
    }

    /** A value in a box of one type or another. */
    public static Object boxed(int i) {
        switch (i & 15) {
            case 0:
                return i % 3 == 0;
            case 1:
                return (byte) i;
            case 2:
                return (char) i;
            case 3:
                return (short) i;
            case 4:
            case 5:
                return i;
            case 6:
                return i * 0x1_0000_0001L;
            case 7:
                return i / 4f;
            case 8:
                return i / 8d;
            case 9:
                return null;
            default:
                return "text " + i;
        }
    }
}
