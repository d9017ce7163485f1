import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import subsume.Profile;

/**
 * A class with as many constants as there can be, loaded when code is there already that names its
 * fields, and the fields of a class that extends it. Recording begins when the property "start" says.
 */
class Crowded {
    static class Full {
        int number = 1;
        long wide = 2;
        double real = 3;
        String text = "four";
        Full next;
    }

    static class Heir extends Full {
        String own = "five";
    }

    /** Has nothing to do with it but the name of a field. */
    static class Roomy {
        int number = 6;
        String text;
    }

    /** Accesses fields of classes that it causes to be loaded. */
    public static class Neighbour implements Supplier<String> {
        @Override
        public String get() {
            Heir heir = new Heir();
            Full full = heir;
            full.number += 10;
            heir.number += full.number;
            heir.wide = full.wide + heir.number;
            heir.real = full.real * heir.wide;
            full.next = heir;
            heir.next.text = heir.text + full.next.number;
            heir.own = full.text;
            Roomy roomy = new Roomy();
            roomy.number += heir.next.next.number;
            // With something on the stack below, in a loop, and in a handler.
            long sum = 0;
            for (int i = 0; i < 3; i++) {
                sum += heir.wide * (full.number + (i > 1 ? heir.number : roomy.number));
            }
            int caught = 0;
            for (Full end : new Full[] {full, null}) {
                try {
                    end.text = roomy.text;
                    caught += end.next.text.length();
                } catch (NullPointerException e) {
                    caught += 1 + roomy.number++;
                }
            }
            return full.number + " " + full.wide + " " + full.real + " " + full.text + " " + heir.own
                    + " " + sum + " " + caught + " " + roomy.number;
        }
    }

    /** Has classes of its own of these names, one of them with as many constants as can be. */
    static class Loader extends ClassLoader {
        private final boolean fills;

        Loader(boolean fills) {
            super(Crowded.class.getClassLoader());
            this.fills = fills;
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            Class<?> known = findLoadedClass(name);
            if (known != null || !name.startsWith("Crowded$")) {
                return known != null ? known : super.loadClass(name, resolve);
            }
            try (InputStream in = getResourceAsStream(name + ".class")) {
                byte[] bytes = in.readAllBytes();
                if (fills && name.equals("Crowded$Full")) {
                    bytes = filled(bytes);
                }
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    /** A class with numbers behind its other constants, as many as fit. */
    private static byte[] filled(byte[] bytes) throws IOException {
        ByteBuffer in = ByteBuffer.wrap(bytes);
        in.position(8);
        int count = in.getShort();
        for (int i = 1; i < count; i++) {
            byte tag = in.get();
            switch (tag) {
                case 1 -> in.position(in.position() + 2 + in.getShort(in.position()));
                case 7, 8, 16, 19, 20 -> in.getShort();
                case 15 -> in.position(in.position() + 3);
                default -> in.getInt();
            }
            if (tag == 5 || tag == 6) {
                in.getInt();
                i++;
            }
        }
        ByteArrayOutputStream made = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(made);
        out.write(bytes, 0, 8);
        out.writeShort(0xFFFF);
        out.write(bytes, 10, in.position() - 10);
        for (int i = count; i < 0xFFFF; i++) {
            out.write(3);
            out.writeInt(i);
        }
        out.write(bytes, in.position(), bytes.length - in.position());
        return made.toByteArray();
    }

    private static void startIf(String moment) {
        if (moment.equals(System.getProperty("start"))) {
            Profile.start();
        }
    }

    @SuppressWarnings("unchecked")
    private static Supplier<String> neighbour(boolean fills) throws ReflectiveOperationException {
        Class<?> type = Class.forName("Crowded$Neighbour", true, new Loader(fills));
        return (Supplier<String>) type.getConstructor().newInstance();
    }

    public static void main(String[] args) throws ReflectiveOperationException {
        startIf("first");
        Supplier<String> roomy = neighbour(false);
        Supplier<String> crowded = neighbour(true);
        startIf("between");
        System.out.println(roomy.get());
        System.out.println(crowded.get());
        startIf("late");
        System.out.println(roomy.get());
        System.out.println(crowded.get());
        System.out.println(neighbour(false).get());
    }
}
