import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** Writes class files of any version, byte by byte. */
final class ClassWriter {
    private final ByteArrayOutputStream poolBytes = new ByteArrayOutputStream();
    private final DataOutputStream pool = new DataOutputStream(poolBytes);
    private final Map<String, Integer> known = new HashMap<>();
    private final ByteArrayOutputStream fields = new ByteArrayOutputStream();
    private final ByteArrayOutputStream methods = new ByteArrayOutputStream();
    private int constants = 1;
    private int fieldCount;
    private int methodCount;
    private final int major;
    private final int flags;
    private final int self;
    private final int superclass;
    private final int[] interfaces;

    /** {@code unused} constants come before all others, so that every index differs. */
    ClassWriter(int major, int unused, int flags, String self, String superclass, String... interfaces) throws IOException {
        this.major = major;
        this.flags = flags;
        for (int i = 0; i < unused; i++) {
            text("unused" + i);
        }
        this.self = type(self);
        this.superclass = type(superclass);
        this.interfaces = new int[interfaces.length];
        for (int i = 0; i < interfaces.length; i++) {
            this.interfaces[i] = type(interfaces[i]);
        }
    }

    private int constant(String key, int tag, Object... parts) throws IOException {
        Integer before = known.get(key);
        if (before != null) {
            return before;
        }
        pool.writeByte(tag);
        for (Object part : parts) {
            if (part instanceof String) {
                pool.writeUTF((String) part);
            } else {
                pool.writeShort((Integer) part);
            }
        }
        known.put(key, constants);
        return constants++;
    }

    int text(String text) throws IOException {
        return constant("text " + text, 1, text);
    }

    int type(String name) throws IOException {
        return constant("type " + name, 7, text(name));
    }

    private int member(int tag, String owner, String name, String descriptor) throws IOException {
        int both = constant("both " + name + descriptor, 12, text(name), text(descriptor));
        return constant(tag + owner + "." + name + descriptor, tag, type(owner), both);
    }

    int field(String owner, String name, String descriptor) throws IOException {
        return member(9, owner, name, descriptor);
    }

    int method(String owner, String name, String descriptor) throws IOException {
        return member(10, owner, name, descriptor);
    }

    void addField(int flags, String name, String descriptor) throws IOException {
        DataOutputStream out = new DataOutputStream(fields);
        out.writeShort(flags);
        out.writeShort(text(name));
        out.writeShort(text(descriptor));
        out.writeShort(0);
        fieldCount++;
    }

    void addMethod(int flags, String name, String descriptor, int stack, int locals, Code code) throws IOException {
        byte[] bytes = code.bytes();
        DataOutputStream out = new DataOutputStream(methods);
        out.writeShort(flags);
        out.writeShort(text(name));
        out.writeShort(text(descriptor));
        out.writeShort(1);
        out.writeShort(text("Code"));
        out.writeInt(12 + bytes.length);
        out.writeShort(stack);
        out.writeShort(locals);
        out.writeInt(bytes.length);
        out.write(bytes);
        out.writeInt(0);
        methodCount++;
    }

    byte[] bytes() throws IOException {
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(whole);
        out.writeInt(0xCAFEBABE);
        // Version 45.3 was the first.
        out.writeShort(major == 45 ? 3 : 0);
        out.writeShort(major);
        out.writeShort(constants);
        out.write(poolBytes.toByteArray());
        out.writeShort(flags);
        out.writeShort(self);
        out.writeShort(superclass);
        out.writeShort(interfaces.length);
        for (int one : interfaces) {
            out.writeShort(one);
        }
        out.writeShort(fieldCount);
        out.write(fields.toByteArray());
        out.writeShort(methodCount);
        out.write(methods.toByteArray());
        out.writeShort(0);
        return whole.toByteArray();
    }

    /** Instructions; branches name labels. */
    static final class Code {
        private final ByteArrayOutputStream code = new ByteArrayOutputStream();
        private final Map<String, Integer> labels = new HashMap<>();
        private final Map<Integer, String> branches = new HashMap<>();

        /** Bytes as they are. */
        Code op(int... bytes) {
            for (int one : bytes) {
                code.write(one);
            }
            return this;
        }

        /** An instruction with a constant's index. */
        Code with(int opcode, int constant) {
            return op(opcode, constant >> 8, constant);
        }

        Code label(String name) {
            labels.put(name, code.size());
            return this;
        }

        Code branch(int opcode, String label) {
            branches.put(code.size(), label);
            return op(opcode, 0, 0);
        }

        byte[] bytes() {
            byte[] bytes = code.toByteArray();
            branches.forEach((at, label) -> {
                int distance = labels.get(label) - at;
                bytes[at + 1] = (byte) (distance >> 8);
                bytes[at + 2] = (byte) distance;
            });
            return bytes;
        }
    }
}
