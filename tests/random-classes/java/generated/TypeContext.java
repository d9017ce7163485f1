package generated;

import static org.objectweb.asm.Opcodes.*;

import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.tree.MethodNode;

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

    /**
     * Computes something, but not while another constant is being resolved: there is no telling how deep a
     * JVM can resolve. And it never throws: interpreted and compiled code of some JVMs do not agree on how
     * often a bootstrap method that threw runs again.
     */
    private void writeBootstrap() {
        MethodNode method = new MethodNode(ACC_PRIVATE | ACC_STATIC, "constant", Expressions.BOOTSTRAP, null, null);
        Label start = new Label();
        Label end = new Label();
        Label handler = new Label();
        Label give = new Label();
        method.visitCode();
        method.visitTryCatchBlock(start, end, handler, null);
        method.visitFieldInsn(GETSTATIC, program.name("Main"), "resolving", "I");
        method.visitJumpInsn(IFNE, give);
        method.visitInsn(ICONST_1);
        method.visitFieldInsn(PUTSTATIC, program.name("Main"), "resolving", "I");
        method.visitLabel(start);
        method.visitInsn(ICONST_5);
        method.visitLdcInsn(7L);
        method.visitMethodInsn(INVOKESTATIC, program.name("A"), "s", "(IJ)I", false);
        method.visitInsn(POP);
        method.visitLabel(end);
        method.visitJumpInsn(GOTO, give);
        method.visitLabel(handler);
        method.visitInsn(POP);
        method.visitLabel(give);
        method.visitInsn(ICONST_0);
        method.visitFieldInsn(PUTSTATIC, program.name("Main"), "resolving", "I");
        method.visitInsn(ICONST_3);
        method.visitMethodInsn(INVOKESTATIC, "java/lang/Integer", "valueOf", "(I)Ljava/lang/Integer;", false);
        method.visitInsn(ARETURN);
        method.visitMaxs(0, 0);
        method.accept(writer);
    }
}
