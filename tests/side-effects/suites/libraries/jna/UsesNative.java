import com.sun.jna.Callback;
import com.sun.jna.Function;
import com.sun.jna.Library;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.NativeLibrary;
import com.sun.jna.Pointer;
import com.sun.jna.Structure;
import com.sun.jna.ptr.IntByReference;
import com.sun.jna.ptr.PointerByReference;

/** Functions of the C library, with structures, and callbacks from it. */
public final class UsesNative {
    private UsesNative() {
    }

    public interface Compares extends Callback {
        int compare(Pointer one, Pointer other);
    }

    public interface C extends Library {
        C INSTANCE = Native.load("c", C.class);

        int strlen(String text);

        int abs(int value);

        long labs(long value);

        double atof(String text);

        int toupper(int letter);

        int snprintf(byte[] buffer, int size, String format, Object... rest);

        void qsort(int[] array, int count, int width, Compares compares);

        Pointer gmtime_r(long[] time, Time result);

        long strtol(String text, PointerByReference end, int base);

        int memcmp(byte[] one, byte[] other, long count);
    }

    public static final class Direct {
        static {
            Native.register(Direct.class, NativeLibrary.getInstance("m"));
        }

        private Direct() {
        }

        static native double cos(double value);

        static native float sqrtf(float value);
    }

    @Structure.FieldOrder({"seconds", "minutes", "hours", "day", "month", "year", "weekday", "dayOfYear", "summer", "offset", "zone"})
    public static class Time extends Structure {
        public int seconds;
        public int minutes;
        public int hours;
        public int day;
        public int month;
        public int year;
        public int weekday;
        public int dayOfYear;
        public int summer;
        public long offset;
        public Pointer zone;
    }

    @Structure.FieldOrder({"flag", "small", "letter", "medium", "number", "large", "single", "twice", "array"})
    public static class All extends Structure {
        public boolean flag;
        public byte small;
        public char letter;
        public short medium;
        public int number;
        public long large;
        public float single;
        public double twice;
        public short[] array = new short[3];
    }

    public static void main(String[] args) {
        C c = C.INSTANCE;
        double sum = 0;
        int[] calls = new int[1];
        Compares compares = (one, other) -> {
            calls[0]++;
            return Integer.compare(one.getInt(0), other.getInt(0));
        };
        for (int i = 0; i < 200; i++) {
            sum += c.strlen("text " + i) + c.abs(-i) + c.labs(-i * 1L << 33) + c.atof(i + ".5") + c.toupper('a' + i % 26);
            sum += Direct.cos(i) + Direct.sqrtf(i);
            byte[] buffer = new byte[64];
            c.snprintf(buffer, 64, "%d %s %.2f %c", i, "s" + i, i / 3d, 'q');
            sum += Native.toString(buffer).hashCode() % 1000;
            int[] array = {5, i % 10, 3, -i, 100};
            c.qsort(array, 5, 4, compares);
            sum = sum * 3 % 1_000_003 + array[0] + array[4];
            Time time = new Time();
            c.gmtime_r(new long[] {i * 100_000L}, time);
            sum += time.hours * 3600 + time.minutes * 60 + time.seconds + time.year + time.weekday;
            All all = new All();
            all.flag = i % 2 == 0;
            all.small = (byte) i;
            all.letter = (char) i;
            all.medium = (short) -i;
            all.number = i;
            all.large = i * 1L << 40;
            all.single = i / 2f;
            all.twice = i / 4d;
            all.array[2] = (short) i;
            all.write();
            All read = Structure.newInstance(All.class, all.getPointer());
            read.read();
            sum += (read.flag ? 1 : 2) + read.small + read.letter + read.medium + read.number + read.large % 7 + read.single
                + read.twice + read.array[2] + (all.dataEquals(read) ? 1 : 0);
        }
        PointerByReference end = new PointerByReference();
        Memory memory = new Memory(64);
        memory.setWideString(0, "wide");
        memory.setShort(40, (short) 7);
        IntByReference reference = new IntByReference(9);
        Object result = Function.getFunction("c", "abs").invoke(Integer.class, new Object[] {-4});
        System.out.println(c.strtol("123rest", end, 10) + end.getValue().getString(0) + memory.getWideString(0) + memory.getShort(40)
            + reference.getValue() + result + c.memcmp(new byte[] {1}, new byte[] {1}, 1));
        System.out.println("jna " + sum + " " + (calls[0] > 200));
    }
}
