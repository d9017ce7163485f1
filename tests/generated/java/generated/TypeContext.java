package generated;

import static org.objectweb.asm.Opcodes.*;

import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;

/** The class that is being written, and what its bodies want in it. */
final class TypeContext {
    /** A class's lambdas must not make lambdas for ever. */
    private static final int MOST_LAMBDAS = 3;

    final Program program;
    final ClassWriter writer;
    final String name;
    final String superclass;
    private final int version;
    private int lambdas;
    private boolean hasConstant;

    TypeContext(Program program, ClassWriter writer, String name, String superclass, int version) {
        this.program = program;
        this.writer = writer;
        this.name = name;
        this.superclass = superclass;
        this.version = version & 0xFFFF;
    }

    boolean isAtLeast(int version) {
        return this.version >= version;
    }

    boolean isInterface() {
        return name.endsWith("/I");
    }

    /** Name of a new static method {@code (I)I} for a lambda, or null if there are enough. */
    String lambda() {
        return lambdas < MOST_LAMBDAS ? "lambda$" + lambdas++ : null;
    }

    /** Asks for the bootstrap method of a dynamic constant. */
    void wantConstant() {
        hasConstant = true;
    }

    /** Writes the methods that bodies asked for; their bodies may ask for more. */
    void writeLambdas() {
        for (int written = 0; written < lambdas; written++) {
            new Body(this, ACC_PRIVATE | ACC_STATIC | ACC_SYNTHETIC, "lambda$" + written, "(I)I").write();
        }
        if (hasConstant) {
            writeBootstrap();
        }
    }

    private void writeBootstrap() {
        MethodVisitor method = writer.visitMethod(ACC_PRIVATE | ACC_STATIC, "constant", Expressions.BOOTSTRAP, null, null);
        method.visitCode();
        method.visitInsn(ICONST_5);
        method.visitLdcInsn(7L);
        method.visitMethodInsn(INVOKESTATIC, program.name("A"), "s", "(IJ)I", false);
        method.visitMethodInsn(INVOKESTATIC, "java/lang/Integer", "valueOf", "(I)Ljava/lang/Integer;", false);
        method.visitInsn(ARETURN);
        method.visitMaxs(0, 0);
    }
}
