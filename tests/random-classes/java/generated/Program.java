package generated;

import static org.objectweb.asm.Opcodes.*;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.tree.MethodNode;

/**
 * A random program: four classes and an interface that call each other.
 *
 * <p>{@code Main} runs it. {@code A}, {@code B} and {@code C} extend each other and implement {@code I};
 * {@code Failure} is an exception of its own. {@code Main} also holds the program's fuel: entering a
 * method and jumping back cost some, and without fuel everything returns, so that every program ends.
 */
final class Program {
    /** Class-file versions that programs are made of: Java 1.1, 1.3, 5, 6, 7, 8, 11, 17 and 25. */
    private static final int[] VERSIONS = {45 | 3 << 16, 47, 48, 49, 50, 51, 52, 55, 61, 69};

    /** Steps that a program may take at most after each start. */
    private static final int MOST_FUEL = 200;

    private static final int STARTS = 4;

    final Random random;
    final String folder;
    private final int newest;
    private final Map<String, byte[]> classes = new LinkedHashMap<>();
    private final boolean interfaceHasCode;

    Program(long seed, int newest) {
        random = new Random(seed * 0x9E3779B97F4A7C15L);
        folder = "generated/s" + seed + "/";
        this.newest = newest;
        interfaceHasCode = random.nextInt(3) > 0;
    }

    /** Class files by internal name. */
    Map<String, byte[]> classes() {
        if (classes.isEmpty()) {
            writeInterface();
            writeFailure();
            writeClass("A", "java/lang/Object");
            writeClass("B", name("A"));
            writeClass("C", name("B"));
            writeMain();
        }
        return classes;
    }

    String name(String simple) {
        return folder + simple;
    }

    /** One of the classes that can be made by {@code new}. */
    String anyClass() {
        return name(new String[] {"A", "B", "C"}[random.nextInt(3)]);
    }

    /** True if the interface has default and static methods. */
    boolean interfaceHasCode() {
        return interfaceHasCode;
    }

    private int version(int oldest) {
        int version;
        do {
            version = VERSIONS[random.nextInt(VERSIONS.length)];
        } while ((version & 0xFFFF) < oldest || (version & 0xFFFF) > newest);
        return version;
    }

    private ClassWriter writer(int version) {
        // The old verifier needs no frames, and subroutines cannot have any.
        boolean frames = (version & 0xFFFF) >= V1_6;
        return new ClassWriter(frames ? ClassWriter.COMPUTE_FRAMES : ClassWriter.COMPUTE_MAXS) {
            @Override
            protected String getCommonSuperClass(String left, String right) {
                return CommonSuperclass.of(left, right, folder);
            }
        };
    }

    private void writeInterface() {
        int version = version(interfaceHasCode ? V1_8 : 0);
        ClassWriter writer = writer(version);
        writer.visit(version, ACC_PUBLIC | ACC_INTERFACE | ACC_ABSTRACT, name("I"), null, "java/lang/Object", null);
        writer.visitMethod(ACC_PUBLIC | ACC_ABSTRACT, "m", "(I)I", null, null).visitEnd();
        if (interfaceHasCode) {
            TypeContext type = new TypeContext(this, writer, name("I"), "java/lang/Object", version);
            new Body(type, ACC_PUBLIC, "d", "(I)I").write();
            new Body(type, ACC_PUBLIC | ACC_STATIC, "s", "(IJ)I").write();
            type.writeLambdas();
        }
        finish(name("I"), writer);
    }

    private void writeFailure() {
        int version = version(0);
        ClassWriter writer = writer(version);
        writer.visit(version, ACC_PUBLIC | ACC_SUPER, name("Failure"), null, "java/lang/RuntimeException", null);
        MethodVisitor constructor = writer.visitMethod(ACC_PUBLIC, "<init>", "(I)V", null, null);
        constructor.visitCode();
        constructor.visitVarInsn(ALOAD, 0);
        constructor.visitMethodInsn(INVOKESPECIAL, "java/lang/RuntimeException", "<init>", "()V", false);
        constructor.visitVarInsn(ILOAD, 1);
        constructor.visitFieldInsn(PUTSTATIC, name("Main"), "last", "I");
        constructor.visitInsn(RETURN);
        constructor.visitMaxs(0, 0);
        finish(name("Failure"), writer);
    }

    private void writeClass(String simple, String superclass) {
        int version = version(0);
        ClassWriter writer = writer(version);
        writer.visit(version, ACC_PUBLIC | ACC_SUPER, name(simple), null, superclass, new String[] {name("I")});
        TypeContext type = new TypeContext(this, writer, name(simple), superclass, version);
        writer.visitField(ACC_PUBLIC, "f" + simple, "I", null, null).visitEnd();
        writer.visitField(ACC_PUBLIC | ACC_STATIC, "g" + simple, "J", null, null).visitEnd();
        if (random.nextInt(3) == 0) {
            new Body(type, ACC_STATIC, "<clinit>", "()V").write();
        }
        new Constructor(type).write();
        int synchronised = random.nextInt(4) == 0 ? ACC_SYNCHRONIZED : 0;
        new Body(type, ACC_PUBLIC | synchronised, "m", "(I)I").write();
        new Body(type, ACC_PUBLIC, "v", "(JD)J").write();
        new Body(type, ACC_PRIVATE, "p", "(I)I").write();
        new Body(type, ACC_PUBLIC | ACC_STATIC | synchronised, "s", "(IJ)I").write();
        new Body(type, ACC_PUBLIC | ACC_STATIC, "o", "(Ljava/lang/Object;I)Ljava/lang/Object;").write();
        new Body(type, ACC_PUBLIC | ACC_STATIC, "q", "(DFI)D").write();
        type.writeLambdas();
        finish(name(simple), writer);
    }

    private void writeMain() {
        int version = version(0);
        ClassWriter writer = writer(version);
        writer.visit(version, ACC_PUBLIC | ACC_SUPER, name("Main"), null, "java/lang/Object",
                new String[] {"java/util/function/IntSupplier"});
        for (String field : new String[] {"fuel", "last", "resolving", "sum"}) {
            writer.visitField(ACC_PUBLIC | ACC_STATIC, field, "I", null, null).visitEnd();
        }
        TypeContext type = new TypeContext(this, writer, name("Main"), "java/lang/Object", version);

        MethodVisitor constructor = writer.visitMethod(ACC_PUBLIC, "<init>", "()V", null, null);
        constructor.visitCode();
        constructor.visitVarInsn(ALOAD, 0);
        constructor.visitMethodInsn(INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
        constructor.visitInsn(RETURN);
        constructor.visitMaxs(0, 0);

        writeRun(type);
        new Body(type, ACC_PUBLIC | ACC_STATIC, "start", "(I)I").write();
        type.writeLambdas();
        finish(name("Main"), writer);
    }

    /** Starts several times, whatever comes of it. */
    private void writeRun(TypeContext type) {
        MethodNode run = new MethodNode(ACC_PUBLIC, "getAsInt", "()I", null, null);
        run.visitCode();
        for (int start = 0; start < STARTS; start++) {
            Label first = new Label();
            Label end = new Label();
            Label handler = new Label();
            Label behind = new Label();
            run.visitTryCatchBlock(first, end, handler, null);
            run.visitLabel(first);
            run.visitIntInsn(SIPUSH, 20 + random.nextInt(MOST_FUEL));
            run.visitFieldInsn(PUTSTATIC, name("Main"), "fuel", "I");
            run.visitIntInsn(SIPUSH, random.nextInt(1000));
            run.visitMethodInsn(INVOKESTATIC, name("Main"), "start", "(I)I", false);
            run.visitInsn(POP);
            run.visitLabel(end);
            run.visitJumpInsn(GOTO, behind);
            run.visitLabel(handler);
            run.visitMethodInsn(INVOKEVIRTUAL, "java/lang/Object", "toString", "()Ljava/lang/String;", false);
            run.visitMethodInsn(INVOKEVIRTUAL, "java/lang/String", "hashCode", "()I", false);
            run.visitFieldInsn(GETSTATIC, name("Main"), "sum", "I");
            run.visitIntInsn(BIPUSH, 31);
            run.visitInsn(IMUL);
            run.visitInsn(IADD);
            run.visitFieldInsn(PUTSTATIC, name("Main"), "sum", "I");
            run.visitLabel(behind);
        }
        run.visitFieldInsn(GETSTATIC, name("Main"), "sum", "I");
        run.visitInsn(IRETURN);
        run.visitMaxs(0, 0);
        run.accept(type.writer);
    }

    private void finish(String name, ClassWriter writer) {
        writer.visitEnd();
        classes.put(name, writer.toByteArray());
    }
}
