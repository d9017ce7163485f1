import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import sun.misc.Unsafe;

/**
 * Objects that no constructor has seen: libraries that read objects from bytes let {@code Unsafe} make them and fill
 * them field by field, strings included. Meanwhile they are handed on like any other.
 */
@SuppressWarnings({"deprecation", "removal"})
public final class UnfinishedObjects {
    private static final Unsafe UNSAFE = unsafe();
    private static final long VALUE = offset("value");
    private static final long CODER = offset("coder");

    enum Colour {
        RED
    }

    record Point(int x, String name) {}

    private static final class Holder {
        String text;
        Object other;
    }

    private static final Class<?>[] CLASSES = {
        String.class, Integer.class, Boolean.class, Character.class, Long.class, Double.class, ArrayList.class, HashMap.class,
        ConcurrentHashMap.class, StringBuilder.class, Thread.class, ThreadLocal.class, Exception.class, Point.class,
        Colour.class, Holder.class, Object.class, java.math.BigInteger.class, java.util.BitSet.class,
        java.lang.ref.WeakReference.class, Thread.currentThread().getContextClassLoader().getClass(),
    };

    public static void main(String[] args) throws Exception {
        for (int round = 0; round < 300; round++) {
            for (Class<?> type : CLASSES) {
                Object made = same(UNSAFE.allocateInstance(type), round);
                Holder holder = holding(made instanceof String text ? text : null, made);
                if (kept(holder).other != made || made.getClass() != type) {
                    throw new AssertionError(type + " in round " + round);
                }
            }
            String finished = inSteps(text('\u20ac', 40 + round), round);
            check(finished, text('\u20ac', 40 + round));
            check(inSteps(text('x', 200), round), text('x', 200));
            check(inSteps("", round), "");
        }
        System.out.println("all are what they are");
    }

    /** A copy of a string, of which every step is looked at. */
    private static String inSteps(String original, int round) throws InstantiationException {
        String copy = text(UNSAFE.allocateInstance(String.class));
        look(copy, round);
        put(copy, UNSAFE.getObject(original, VALUE));
        look(copy, round);
        UNSAFE.putByte(copy, CODER, UNSAFE.getByte(original, CODER));
        look(copy, round);
        return copy;
    }

    private static void put(Object string, Object bytes) {
        UNSAFE.putObject(string, VALUE, bytes);
    }

    private static String text(Object made) {
        return (String) made;
    }

    private static Object look(String unfinished, int round) {
        return same(unfinished, round);
    }

    private static Object same(Object object, int round) {
        return round < 0 ? null : object;
    }

    private static Holder holding(String text, Object object) {
        Holder holder = new Holder();
        holder.text = text;
        holder.other = object;
        return holder;
    }

    private static Holder kept(Holder holder) {
        return holder;
    }

    private static void check(String made, String wanted) {
        Map<String, Integer> map = new HashMap<>();
        map.put(wanted, wanted.length());
        if (made.hashCode() != wanted.hashCode() || !made.equals(wanted) || map.get(made) == null) {
            throw new AssertionError(made + " is not " + wanted + ", its hash is " + made.hashCode());
        }
    }

    private static String text(char letter, int length) {
        return String.valueOf(letter).repeat(length);
    }

    private static long offset(String field) {
        try {
            return UNSAFE.objectFieldOffset(String.class.getDeclaredField(field));
        } catch (NoSuchFieldException e) {
            throw new AssertionError(e);
        }
    }

    private static Unsafe unsafe() {
        try {
            Field field = Unsafe.class.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            return (Unsafe) field.get(null);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }
}
