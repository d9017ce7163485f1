import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodHandles.Lookup;
import java.lang.invoke.VarHandle;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Every method stores in a location and loads from it. In those whose names begin with "replaced",
 * something else than an instruction has stored there in between; in the others not. Where
 * references are stored, all of them are null.
 */
class Replaces {
    static final AtomicIntegerFieldUpdater<Replaces> NUMBERS =
            AtomicIntegerFieldUpdater.newUpdater(Replaces.class, "number");
    static final AtomicLongFieldUpdater<Replaces> WIDES =
            AtomicLongFieldUpdater.newUpdater(Replaces.class, "wide");
    static final AtomicReferenceFieldUpdater<Replaces, Object> REFERENCES =
            AtomicReferenceFieldUpdater.newUpdater(Replaces.class, Object.class, "reference");

    static final VarHandle NUMBER;
    static final VarHandle REFERENCE;
    static final VarHandle SHARED;
    static final VarHandle SHARED_REFERENCE;
    static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);
    static final VarHandle OBJECTS = MethodHandles.arrayElementVarHandle(Object[].class);
    static final VarHandle IN_BYTES =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.nativeOrder());

    static final MethodHandle SET_NUMBER;
    static final MethodHandle SET_REFERENCE;
    static final MethodHandle SET_SHARED;
    static final MethodHandle SET_INT = MethodHandles.arrayElementSetter(int[].class);
    static final MethodHandle SET_OBJECT = MethodHandles.arrayElementSetter(Object[].class);

    static final Field NUMBER_FIELD;
    static final Field REFERENCE_FIELD;
    static final Field SHARED_FIELD;

    static int shared;
    static Object sharedReference;

    static {
        try {
            Class<?> type = Replaces.class;
            Lookup lookup = MethodHandles.lookup();
            NUMBER = lookup.findVarHandle(type, "number", int.class);
            REFERENCE = lookup.findVarHandle(type, "reference", Object.class);
            SHARED = lookup.findStaticVarHandle(type, "shared", int.class);
            SHARED_REFERENCE = lookup.findStaticVarHandle(type, "sharedReference", Object.class);
            SET_NUMBER = lookup.findSetter(type, "number", int.class);
            SET_REFERENCE = lookup.findSetter(type, "reference", Object.class);
            SET_SHARED = lookup.findStaticSetter(type, "shared", int.class);
            NUMBER_FIELD = type.getDeclaredField("number");
            REFERENCE_FIELD = type.getDeclaredField("reference");
            SHARED_FIELD = type.getDeclaredField("shared");
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    volatile int number;
    volatile long wide;
    volatile Object reference;

    static int sum;

    static int one() {
        return sum + 1;
    }

    static void caught() {
        sum++;
    }

    static void use(long loaded) {
        sum += (int) loaded;
    }

    // Nothing happens between the store and the load, or nothing that stores.

    void keptField() {
        number = one();
        use(number);
    }

    void keptReference() {
        reference = null;
        try {
            reference.hashCode();
        } catch (NullPointerException e) {
            caught();
        }
    }

    void keptIfNotEqual() {
        number = one();
        use(NUMBERS.compareAndSet(this, -1, 5) ? 1 : 0);
        use(number);
    }

    void keptIfNotEqualForHandle() {
        number = one();
        use(NUMBER.compareAndSet(this, -1, 5) ? 1 : 0);
        use(number);
    }

    void keptWhereHandleLoads() {
        number = one();
        use((int) NUMBER.getVolatile(this));
        use(number);
    }

    void keptElement() {
        int[] ints = new int[3];
        ints[0] = one();
        ints[1] = one();
        INTS.setVolatile(ints, 0, 7);
        use(ints[1]);
    }

    void keptShared() {
        shared = one();
        use(shared);
    }

    // Field updaters.

    void replacedByUpdater() {
        number = one();
        NUMBERS.set(this, 5);
        use(number);
    }

    void replacedByComparingUpdater() {
        number = one();
        use(NUMBERS.compareAndSet(this, number(), 5) ? 1 : 0);
        use(number);
    }

    int number() {
        return number;
    }

    void replacedByAddingUpdater() {
        wide = one();
        WIDES.getAndAdd(this, 5);
        use(wide);
    }

    void replacedByUpdaterOfReferences() {
        reference = null;
        REFERENCES.lazySet(this, null);
        try {
            reference.hashCode();
        } catch (NullPointerException e) {
            caught();
        }
    }

    void replacedByComparingUpdaterOfReferences() {
        reference = null;
        REFERENCES.compareAndSet(this, null, null);
        try {
            reference.hashCode();
        } catch (NullPointerException e) {
            caught();
        }
    }

    // Variable handles.

    void replacedByHandle() {
        number = one();
        NUMBER.set(this, 5);
        use(number);
    }

    void replacedByComparingHandle() {
        number = one();
        use(NUMBER.compareAndSet(this, number(), 5) ? 1 : 0);
        use(number);
    }

    void replacedByExchangingHandle() {
        number = one();
        use((int) NUMBER.compareAndExchange(this, number(), 5));
        use(number);
    }

    void replacedByCombiningHandle() {
        number = one();
        use((int) NUMBER.getAndBitwiseOr(this, 64));
        use(number);
    }

    void replacedByHandleOfReferences() {
        reference = null;
        REFERENCE.setRelease(this, null);
        try {
            reference.hashCode();
        } catch (NullPointerException e) {
            caught();
        }
    }

    void replacedByStaticHandle() {
        shared = one();
        SHARED.setVolatile(5);
        use(shared);
    }

    void replacedByStaticHandleOfReferences() {
        sharedReference = null;
        SHARED_REFERENCE.setVolatile((Object) null);
        try {
            sharedReference.hashCode();
        } catch (NullPointerException e) {
            caught();
        }
    }

    void replacedByHandleOfElements() {
        int[] ints = new int[3];
        ints[1] = one();
        INTS.set(ints, 1, 5);
        use(ints[1]);
    }

    void replacedByVolatileHandleOfElements() {
        int[] ints = new int[3];
        ints[1] = one();
        INTS.setVolatile(ints, 1, 5);
        use(ints[1]);
    }

    void replacedInWholeArray() {
        int[] from = new int[40];
        int[] ints = new int[40];
        System.arraycopy(from, 0, ints, 0, 40);
        INTS.setVolatile(ints, 1, 5);
        use(ints[1]);
    }

    void replacedByHandleOfReferencesInArray() {
        Object[] objects = new Object[3];
        objects[1] = null;
        OBJECTS.setVolatile(objects, 1, null);
        try {
            objects[1].hashCode();
        } catch (NullPointerException e) {
            caught();
        }
    }

    void replacedInBytes() {
        byte[] bytes = new byte[16];
        bytes[6] = (byte) one();
        IN_BYTES.set(bytes, 4, 0x01010101);
        use(bytes[6]);
    }

    // Method handles.

    void replacedBySetter() throws Throwable {
        number = one();
        SET_NUMBER.invokeExact(this, 5);
        use(number);
    }

    void replacedBySetterOfReferences() throws Throwable {
        reference = null;
        SET_REFERENCE.invokeExact(this, (Object) null);
        try {
            reference.hashCode();
        } catch (NullPointerException e) {
            caught();
        }
    }

    void replacedByStaticSetter() throws Throwable {
        shared = one();
        SET_SHARED.invokeExact(5);
        use(shared);
    }

    void replacedBySetterOfElements() throws Throwable {
        int[] ints = new int[3];
        ints[1] = one();
        SET_INT.invokeExact(ints, 1, 5);
        use(ints[1]);
    }

    void replacedBySetterOfReferencesInArray() throws Throwable {
        Object[] objects = new Object[3];
        objects[1] = null;
        SET_OBJECT.invokeExact(objects, 1, (Object) null);
        try {
            objects[1].hashCode();
        } catch (NullPointerException e) {
            caught();
        }
    }

    // Reflection.

    void replacedByReflection() throws ReflectiveOperationException {
        number = one();
        NUMBER_FIELD.setInt(this, 5);
        use(number);
    }

    void replacedByReflectionOnReferences() throws ReflectiveOperationException {
        reference = null;
        REFERENCE_FIELD.set(this, null);
        try {
            reference.hashCode();
        } catch (NullPointerException e) {
            caught();
        }
    }

    void replacedByReflectionOnStatic() throws ReflectiveOperationException {
        shared = one();
        SHARED_FIELD.setInt(null, 5);
        use(shared);
    }

    void replacedByReflectionOnArray() {
        int[] ints = new int[3];
        ints[1] = one();
        Array.setInt(ints, 1, 5);
        use(ints[1]);
    }

    void replacedByReflectionOnArrayOfReferences() {
        Object[] objects = new Object[3];
        objects[1] = null;
        Array.set(objects, 1, null);
        try {
            objects[1].hashCode();
        } catch (NullPointerException e) {
            caught();
        }
    }

    // Memory.

    void replacedByBuffer() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(64);
        byte[] bytes = new byte[64];
        bytes[6] = (byte) one();
        buffer.get(bytes);
        use(bytes[6]);
    }

    // Native code.

    void replacedByNative() throws IOException {
        byte[] bytes = new byte[16];
        try (FileInputStream in = new FileInputStream(anyFile())) {
            bytes[6] = (byte) one();
            use(in.read(bytes));
            use(bytes[6]);
        }
    }

    void replacedByNativeThatHoldsArrays() throws DataFormatException {
        byte[] packed = new byte[64];
        Deflater deflater = new Deflater();
        deflater.setInput(new byte[64]);
        deflater.finish();
        int length = deflater.deflate(packed);
        byte[] bytes = new byte[64];
        bytes[6] = (byte) one();
        Inflater inflater = new Inflater();
        inflater.setInput(packed, 0, length);
        use(inflater.inflate(bytes));
        use(bytes[6]);
    }

    void replacedFieldByNative() throws IOException {
        number = one();
        NUMBERS.set(this, 5);
        try (FileInputStream in = new FileInputStream(anyFile())) {
            // Its number, which native code has set.
            use(in.getFD().valid() ? 1 : 0);
        }
        use(number);
    }

    // Another class, which may be left out.

    /** Stores with instructions. */
    static class Other {
        static void store(Replaces to, int[] ints, Object[] objects) {
            to.number = 5;
            to.wide = 5;
            to.reference = null;
            shared = 5;
            sharedReference = null;
            ints[1] = 5;
            objects[1] = null;
        }

        static void copy(int[] from, int[] to) {
            System.arraycopy(from, 0, to, 0, from.length);
        }
    }

    void replacedNumbersByOther() {
        number = one();
        wide = one();
        shared = one();
        int[] ints = new int[3];
        ints[1] = one();
        Other.store(this, ints, new Object[3]);
        use(number);
        use(wide);
        use(shared);
        use(ints[1]);
    }

    void replacedArrayByOther() {
        int[] ints = new int[3];
        ints[1] = one();
        Other.copy(new int[3], ints);
        use(ints[1]);
    }

    void replacedReferenceByOther() {
        reference = null;
        Other.store(this, new int[3], new Object[3]);
        try {
            reference.hashCode();
        } catch (NullPointerException e) {
            caught();
        }
    }

    void replacedStaticReferenceByOther() {
        sharedReference = null;
        Other.store(this, new int[3], new Object[3]);
        try {
            sharedReference.hashCode();
        } catch (NullPointerException e) {
            caught();
        }
    }

    void replacedReferenceInArrayByOther() {
        Object[] objects = new Object[3];
        objects[1] = null;
        Other.store(this, new int[3], objects);
        try {
            objects[1].hashCode();
        } catch (NullPointerException e) {
            caught();
        }
    }

    static File anyFile() {
        return new File(System.getProperty("java.home"), "release");
    }

    public static void main(String[] arguments) throws Exception {
        for (Method method : Replaces.class.getDeclaredMethods()) {
            String name = method.getName();
            if (name.startsWith("kept") || name.startsWith("replaced")) {
                // The second time, everything is linked.
                method.invoke(new Replaces());
                method.invoke(new Replaces());
            }
        }
        System.out.println(sum > 0);
    }
}
