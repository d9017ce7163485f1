import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.Externalizable;
import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInput;
import java.io.ObjectInputStream;
import java.io.ObjectOutput;
import java.io.ObjectOutputStream;
import java.io.ObjectStreamClass;
import java.io.ObjectStreamField;
import java.io.Serializable;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLongFieldUpdater;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Supplier;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import jdk.jfr.Configuration;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;
import jdk.jfr.ValueDescriptor;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;

/**
 * Uses whatever in the JDK counts, lists, copies, compares or addresses fields of classes, and prints what
 * comes of it. Sizes of objects are left out: they are what the JVM makes of all fields.
 */
public final class CountsFields {
    private CountsFields() {
    }

    public static void main(String[] args) throws Exception {
        part("serialization", CountsFields::serialization);
        part("reflection", CountsFields::reflection);
        part("records", CountsFields::records);
        part("handles", CountsFields::handles);
        part("updaters", CountsFields::updaters);
        part("unsafe", CountsFields::unsafe);
        part("lookups", CountsFields::lookups);
        part("flight recorder", CountsFields::flightRecorder);
        part("diagnostic commands", CountsFields::diagnosticCommands);
        part("heap dump", CountsFields::heapDump);
    }

    private interface Part {
        String say() throws Throwable;
    }

    private static void part(String name, Part body) {
        try {
            System.out.println(name + ": " + body.say());
        } catch (Throwable e) {
            System.out.println(name + " fails: " + e);
            e.printStackTrace(System.out);
        }
    }

    // What it works on.

    static class Plain implements Serializable {
        int number = 1;
        long wide = 2;
        volatile int counted = 3;
        volatile long countedWide = 4;
        volatile String text = "five";
        protected double real = 6;
        transient Object unsaved = "seven";
        byte[] bytes = {8, 9};
        static int shared = 10;

        @Override
        public String toString() {
            return number + " " + wide + " " + counted + " " + countedWide + " " + text + " " + real + " " + unsaved + " "
                + Arrays.toString(bytes);
        }
    }

    static final class Derived extends Plain {
        int number = 11;
        private final List<String> list = new ArrayList<>(List.of("a", "b"));

        @Override
        public String toString() {
            return super.toString() + " " + number + " " + list;
        }
    }

    record Point(int x, double y, String name) implements Serializable {
    }

    enum Colour {
        RED(1), GREEN(2);

        private final int code;

        Colour(int code) {
            this.code = code;
        }
    }

    public static final class Itself implements Externalizable {
        int value = 3;

        @Override
        public void writeExternal(ObjectOutput out) throws IOException {
            out.writeInt(value);
        }

        @Override
        public void readExternal(ObjectInput in) throws IOException {
            value = in.readInt() + 1;
        }
    }

    static final class Happened extends Event {
        int number = 5;
        String text = "six";
        Class<?> type = Plain.class;
        transient int left = 7;
    }

    // How it does.

    private static String serialization() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        Object[] all = {new Plain(), new Derived(), new Point(1, 2, "three"), Colour.GREEN, new Itself(), new TreeMap<>(java.util.Map.of("k", 1)),
            (Supplier<String> & Serializable) () -> "lambda", new java.math.BigDecimal("1.50"), java.time.LocalDate.of(2020, 2, 3), new Throwable("t").getMessage()};
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(all);
        }
        StringBuilder said = new StringBuilder().append(bytes.size()).append(" bytes");
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            for (Object read : (Object[]) in.readObject()) {
                said.append(", ").append(read instanceof Supplier<?> s ? s.get() : read instanceof Itself i ? i.value : read);
            }
        }
        for (Class<?> type : List.of(Plain.class, Derived.class, Point.class, Colour.class, ArrayList.class, Throwable.class)) {
            ObjectStreamClass described = ObjectStreamClass.lookup(type);
            said.append("\n  ").append(described);
            for (ObjectStreamField field : described.getFields()) {
                said.append(' ').append(field);
            }
        }
        return said.toString();
    }

    private static String reflection() throws Exception {
        StringBuilder said = new StringBuilder();
        for (Class<?> type : List.of(Plain.class, Derived.class, Point.class, Colour.class, Happened.class, Thread.class, Object.class)) {
            said.append(type.getDeclaredFields().length).append('/').append(type.getFields().length).append('/')
                .append(type.getDeclaredMethods().length).append(' ');
        }
        Plain copy = new Plain();
        Plain from = new Plain();
        from.number = 42;
        for (Field field : Plain.class.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers())) {
                field.setAccessible(true);
                field.set(copy, field.get(from));
            }
        }
        return said.append(copy).toString();
    }

    private static String records() throws Exception {
        StringBuilder said = new StringBuilder();
        Point point = new Point(1, 2, "three");
        for (RecordComponent component : Point.class.getRecordComponents()) {
            said.append(component).append('=').append(component.getAccessor().invoke(point)).append(' ');
        }
        return said.append(point).append(' ').append(point.hashCode()).append(' ').append(point.equals(new Point(1, 2, "three"))).toString();
    }

    private static String handles() throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        Plain plain = new Plain();
        VarHandle number = lookup.findVarHandle(Plain.class, "number", int.class);
        VarHandle text = lookup.findVarHandle(Plain.class, "text", String.class);
        VarHandle shared = lookup.findStaticVarHandle(Plain.class, "shared", int.class);
        number.getAndAdd(plain, 5);
        text.compareAndSet(plain, "five", "V");
        shared.setVolatile(12);
        MethodHandle setter = lookup.findSetter(Plain.class, "wide", long.class);
        setter.invoke(plain, 99L);
        MethodHandle getter = lookup.unreflectGetter(Plain.class.getDeclaredField("real"));
        return plain + " " + (double) getter.invoke(plain) + " " + Plain.shared + " " + lookup.revealDirect(getter).getName();
    }

    private static String updaters() {
        Plain plain = new Plain();
        AtomicIntegerFieldUpdater.newUpdater(Plain.class, "counted").addAndGet(plain, 4);
        AtomicLongFieldUpdater.newUpdater(Plain.class, "countedWide").incrementAndGet(plain);
        AtomicReferenceFieldUpdater.newUpdater(Plain.class, String.class, "text").set(plain, "updated");
        return plain.toString();
    }

    /** Copies an object field by field, as libraries do that make no constructor call. */
    private static String unsafe() throws Exception {
        Field singleton = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
        singleton.setAccessible(true);
        sun.misc.Unsafe unsafe = (sun.misc.Unsafe) singleton.get(null);
        Derived from = new Derived();
        from.number = 21;
        Derived copy = (Derived) unsafe.allocateInstance(Derived.class);
        int different = 0;
        List<Long> offsets = new ArrayList<>();
        for (Class<?> type = Derived.class; type != Object.class; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers())) {
                    continue;
                }
                long offset = unsafe.objectFieldOffset(field);
                different += offsets.contains(offset) ? 0 : 1;
                offsets.add(offset);
                if (field.getType() == int.class) {
                    unsafe.putInt(copy, offset, unsafe.getInt(from, offset));
                } else if (field.getType() == long.class) {
                    unsafe.putLong(copy, offset, unsafe.getLong(from, offset));
                } else if (field.getType() == double.class) {
                    unsafe.putDouble(copy, offset, unsafe.getDouble(from, offset));
                } else {
                    unsafe.putObject(copy, offset, unsafe.getObject(from, offset));
                }
            }
        }
        return copy + " " + different + " fields";
    }

    /** Defines copies of a class, hidden and not. */
    private static String lookups() throws Exception {
        byte[] bytes;
        try (InputStream in = CountsFields.class.getResourceAsStream("CountsFields$Itself.class")) {
            bytes = in.readAllBytes();
        }
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        StringBuilder said = new StringBuilder();
        for (int i = 0; i < 2; i++) {
            Class<?> made;
            if (i == 0) {
                made = lookup.defineHiddenClass(bytes, true, MethodHandles.Lookup.ClassOption.NESTMATE).lookupClass();
            } else {
                byte[] renamed = new String(bytes, "ISO-8859-1").replace("CountsFields$Itself", "CountsFields$Iteslf").getBytes("ISO-8859-1");
                made = lookup.defineClass(renamed);
            }
            Object object = made.getDeclaredConstructor().newInstance();
            Field value = made.getDeclaredField("value");
            value.setAccessible(true);
            said.append(made.isHidden()).append(' ').append(value.getInt(object)).append(' ').append(made.getDeclaredFields().length).append(' ');
        }
        return said.toString();
    }

    private static String flightRecorder() throws Exception {
        Path file = Files.createTempFile("subsume", ".jfr");
        StringBuilder said = new StringBuilder();
        try (Recording recording = new Recording(Configuration.getConfiguration("profile"))) {
            recording.start();
            for (int i = 0; i < 3; i++) {
                Happened happened = new Happened();
                happened.begin();
                happened.number = i;
                happened.commit();
            }
            Files.write(file, new byte[0]);
            recording.stop();
            recording.dump(file);
        }
        // A thread may have filled two buffers, which the file has in any order.
        List<String> happened = new ArrayList<>();
        for (RecordedEvent event : RecordingFile.readAllEvents(file)) {
            if (event.getEventType().getName().equals("CountsFields$Happened")) {
                StringBuilder fields = new StringBuilder();
                fields.append(event.getInt("number")).append(event.getString("text")).append(event.getClass("type").getName());
                for (ValueDescriptor field : event.getFields()) {
                    fields.append(' ').append(field.getName());
                }
                happened.add(fields.append("; ").toString());
            }
        }
        Collections.sort(happened);
        happened.forEach(said::append);
        Files.delete(file);
        TreeMap<String, Integer> types = new TreeMap<>();
        for (EventType type : FlightRecorder.getFlightRecorder().getEventTypes()) {
            types.put(type.getName(), type.getFields().size());
        }
        return said.append(types).toString();
    }

    /** Commands that list classes, objects and threads, of which only what does not depend on sizes is kept. */
    private static String diagnosticCommands() throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
        Derived[] kept = new Derived[1_234];
        Arrays.setAll(kept, i -> new Derived());
        String[] signature = {String[].class.getName()};
        String histogram = (String) server.invoke(commands, "gcClassHistogram", new Object[] {new String[0]}, signature);
        StringBuilder said = new StringBuilder();
        for (String line : histogram.split("\n")) {
            if (line.contains("CountsFields$Derived")) {
                said.append(line.trim().split("\\s+")[1]).append(" objects ");
            }
        }
        String threads = (String) server.invoke(commands, "threadPrint", new Object[] {new String[0]}, signature);
        // Other threads may execute a probe just now, or compile one.
        int main = threads.indexOf("\"main\"");
        String ownStack = main < 0 ? "" : threads.substring(main, threads.indexOf("\n\n", main));
        said.append(main >= 0).append(' ').append(ownStack.contains("subsume"));
        for (String command : List.of("gcHeapInfo", "vmMetaspace", "vmClassloaderStats", "vmSymboltable", "vmStringtable", "compilerCodecache", "vmClassHierarchy")) {
            String text = (String) server.invoke(commands, command, new Object[] {new String[0]}, signature);
            said.append(' ').append(command).append(text.isEmpty() ? " is empty" : " answers");
        }
        return said.append(' ').append(kept.length).toString();
    }

    private static String heapDump() throws Exception {
        Path file = Files.createTempFile("subsume", ".hprof");
        Files.delete(file);
        com.sun.management.HotSpotDiagnosticMXBean bean = ManagementFactory.getPlatformMXBean(com.sun.management.HotSpotDiagnosticMXBean.class);
        bean.dumpHeap(file.toString(), true);
        byte[] start = new byte[18];
        try (InputStream in = Files.newInputStream(file)) {
            in.readNBytes(start, 0, start.length);
        }
        Files.delete(file);
        return new String(start, "ISO-8859-1");
    }
}
