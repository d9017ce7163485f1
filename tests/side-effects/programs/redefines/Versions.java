import java.io.IOException;

/** The classes that are redefined: one for each version of class files, which all compute the same. */
final class Versions {
    /** Of the JDK's 1.1. */
    static final int FIRST = 45;

    /** That of the JVM. */
    static final int LAST = Runtime.version().feature() + 44;

    /** Up to this version there are subroutines, and no stack maps. */
    private static final int LAST_WITH_SUBROUTINES = 49;

    private static final int PUBLIC = 1;
    private static final int STATIC = 8;
    private static final int SUPER = 0x20;

    private Versions() {
    }

    static String name(int major) {
        return "Made" + major;
    }

    /** A class that is only referred to: a verifier loads it where two ways meet. */
    static byte[] empty(String name) throws IOException {
        ClassWriter writer = new ClassWriter(LAST, 0, PUBLIC | SUPER, name, "java/lang/Object");
        return writer.bytes();
    }

    /** The class of a version. Variants differ in their constants and code, but not in what they do. */
    static byte[] made(int major, int variant) throws IOException {
        String name = name(major);
        ClassWriter writer = new ClassWriter(major, variant, PUBLIC | SUPER, name, "java/lang/Object", "Worker");
        writer.addField(0, "sum", "J");
        writer.addField(0, "count", "I");
        writer.addField(0, "other", "Ljava/lang/Object;");
        writer.addField(STATIC, "unit", "J");
        writer.addMethod(PUBLIC, "<init>", "()V", 1, 1, new ClassWriter.Code()
            .op(0x2A).with(0xB7, writer.method("java/lang/Object", "<init>", "()V")).op(0xB1));
        boolean isOld = major <= LAST_WITH_SUBROUTINES;
        addHelp(writer, variant);
        addWork(writer, name, variant, isOld);
        if (isOld) {
            addMake(writer, name);
            addMerge(writer, name, variant);
            addInSubroutine(writer, name);
        } else {
            addInLine(writer, name);
        }
        return writer.bytes();
    }

    /** static int help(int i) { return 3 * i + 1; } */
    private static void addHelp(ClassWriter writer, int variant) throws IOException {
        writer.addMethod(STATIC, "help", "(I)I", 2, 1, idle(variant).op(0x1A, 0x06, 0x68, 0x04, 0x60, 0xAC));
    }

    /** Instructions without effect. */
    private static ClassWriter.Code idle(int count) {
        ClassWriter.Code code = new ClassWriter.Code();
        for (int i = 0; i < count; i++) {
            code.op(0x00);
        }
        return code;
    }

    /**
     * static Object make(Object[] in, int i) {
     *     if (i == 1) return in[0] = new Left();
     *     if (i == 2) return in[0] = new Right();
     *     return null;
     * }
     * Nobody asks for either, and nobody has them. Only who adds a handler that covers both makes the
     * verifier ask what the two have in common.
     */
    private static void addMake(ClassWriter writer, String name) throws IOException {
        ClassWriter.Code code = new ClassWriter.Code();
        for (int i = 1; i <= 2; i++) {
            String type = name + (i == 1 ? "Left" : "Right");
            code.op(0x1B, 0x03 + i).branch(0xA0, "not" + i).op(0x2A, 0x03);
            addNew(writer, code, type);
            code.op(0x5B, 0x53, 0xB0).label("not" + i);
        }
        writer.addMethod(STATIC, "make", "([Ljava/lang/Object;I)Ljava/lang/Object;", 5, 2, code.op(0x01, 0xB0));
    }

    /**
     * static Object merge(int i) { return i >= 0 ? null : i == -1 ? new LeftV() : new RightV(); } for a
     * variant, whose classes the verifier loads, and a method that returns null for the first one.
     */
    private static void addMerge(ClassWriter writer, String name, int variant) throws IOException {
        ClassWriter.Code code = new ClassWriter.Code();
        if (variant > 0) {
            code.op(0x1A).branch(0x9C, "null").op(0x1A, 0x02).branch(0xA0, "right");
            addNew(writer, code, name + "Left" + variant);
            code.branch(0xA7, "both").label("right");
            addNew(writer, code, name + "Right" + variant);
            code.label("both").op(0xB0).label("null");
        }
        writer.addMethod(STATIC, "merge", "(I)Ljava/lang/Object;", 2, 1, code.op(0x01, 0xB0));
    }

    private static void addNew(ClassWriter writer, ClassWriter.Code code, String type) throws IOException {
        code.with(0xBB, writer.type(type)).op(0x59).with(0xB7, writer.method(type, "<init>", "()V"));
    }

    /**
     * sum = 31 * sum + n + unit + 3; other = this; count = help(count); make(null, 0) and merge(0) in an old one;
     * return sum ^ count ^ add(n).
     */
    private static void addWork(ClassWriter writer, String name, int variant, boolean isOld) throws IOException {
        int sum = writer.field(name, "sum", "J");
        int count = writer.field(name, "count", "I");
        ClassWriter.Code code = idle(variant)
            .op(0x2A, 0x2A).with(0xB4, sum).op(0x10, 31, 0x85, 0x69, 0x1F, 0x61)
            .with(0xB2, writer.field(name, "unit", "J")).op(0x61).with(0xB5, sum)
            .op(0x2A, 0x2A).with(0xB5, writer.field(name, "other", "Ljava/lang/Object;"))
            .op(0x2A, 0x2A).with(0xB4, count).with(0xB8, writer.method(name, "help", "(I)I")).with(0xB5, count);
        if (isOld) {
            code.op(0x01, 0x03).with(0xB8, writer.method(name, "make", "([Ljava/lang/Object;I)Ljava/lang/Object;")).op(0x57)
                .op(0x03).with(0xB8, writer.method(name, "merge", "(I)Ljava/lang/Object;")).op(0x57);
            // for (int i = 0; i < 3; i++) sum += i;
            code.op(0x03, 0x36, 4).label("loop").op(0x15, 4, 0x06).branch(0xA2, "end")
                .op(0x2A, 0x59).with(0xB4, sum).op(0x15, 4, 0x85, 0x61).with(0xB5, sum)
                .op(0x84, 4, 1).branch(0xA7, "loop").label("end");
        } else {
            code.op(0x2A, 0x59).with(0xB4, sum).op(0x06, 0x85, 0x61).with(0xB5, sum);
        }
        code.op(0x2A).with(0xB4, sum).op(0x2A).with(0xB4, count).op(0x85, 0x83)
            .op(0x2A, 0x1F).with(0xB6, writer.method(name, "add", "(J)J")).op(0x83, 0xAD);
        writer.addMethod(PUBLIC, "work", "(J)J", 6, 5, code);
    }

    /** sum += n; other = this; return sum; the middle of it in a subroutine. */
    private static void addInSubroutine(ClassWriter writer, String name) throws IOException {
        int sum = writer.field(name, "sum", "J");
        writer.addMethod(PUBLIC, "add", "(J)J", 5, 4, new ClassWriter.Code()
            .branch(0xA8, "sub").op(0x2A, 0x2A).with(0xB5, writer.field(name, "other", "Ljava/lang/Object;"))
            .op(0x2A).with(0xB4, sum).op(0xAD)
            .label("sub").op(0x4E, 0x2A, 0x59).with(0xB4, sum).op(0x1F, 0x61).with(0xB5, sum).op(0xA9, 3));
    }

    /** sum += n; other = this; return sum; without a subroutine. */
    private static void addInLine(ClassWriter writer, String name) throws IOException {
        int sum = writer.field(name, "sum", "J");
        writer.addMethod(PUBLIC, "add", "(J)J", 5, 4, new ClassWriter.Code()
            .op(0x2A, 0x59).with(0xB4, sum).op(0x1F, 0x61).with(0xB5, sum)
            .op(0x2A, 0x2A).with(0xB5, writer.field(name, "other", "Ljava/lang/Object;"))
            .op(0x2A).with(0xB4, sum).op(0xAD));
    }
}
