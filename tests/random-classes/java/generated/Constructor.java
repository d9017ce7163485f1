package generated;

import static org.objectweb.asm.Opcodes.*;

import org.objectweb.asm.Label;

/** A constructor: computes, and may throw, before and after it calls the superclass's. */
final class Constructor extends Body {
    Constructor(TypeContext type) {
        super(type, ACC_PUBLIC, "<init>", "(I)V");
    }

    @Override
    void beforeBlocks() {
        boolean ofObject = type.superclass.equals("java/lang/Object");
        if (random.nextInt(3) == 0) {
            throwSometimes();
        }
        Label second = new Label();
        Label behind = new Label();
        boolean twice = random.nextInt(12) == 0;
        if (twice) {
            code.visitVarInsn(ILOAD, 1);
            code.visitJumpInsn(IFLE, second);
        }
        callSuper(ofObject);
        if (twice) {
            code.visitJumpInsn(GOTO, behind);
            code.visitLabel(second);
            callSuper(ofObject);
            code.visitLabel(behind);
        }
        code.visitVarInsn(ALOAD, 0);
        code.visitVarInsn(ILOAD, 1);
        code.visitFieldInsn(PUTFIELD, type.name, "f" + type.name.charAt(type.name.length() - 1), "I");
    }

    private void callSuper(boolean ofObject) {
        code.visitVarInsn(ALOAD, 0);
        if (!ofObject) {
            code.visitVarInsn(ILOAD, 1);
            // The other locals have no values yet.
            code.visitInsn(ICONST_1);
            code.visitInsn(LCONST_1);
            code.visitMethodInsn(INVOKESTATIC, program.name("B"), "s", "(IJ)I", false);
            code.visitInsn(IADD);
        }
        code.visitMethodInsn(INVOKESPECIAL, type.superclass, "<init>", ofObject ? "()V" : "(I)V", false);
    }

    /** Divides by the argument, in a range whose handler throws on. */
    private void throwSometimes() {
        Label start = new Label();
        Label end = new Label();
        Label handler = new Label();
        Label behind = new Label();
        boolean handled = random.nextBoolean();
        if (handled) {
            code.visitTryCatchBlock(start, end, handler, null);
        }
        code.visitLabel(start);
        code.visitInsn(ICONST_5);
        code.visitVarInsn(ILOAD, 1);
        code.visitInsn(IDIV);
        code.visitVarInsn(ISTORE, 1);
        code.visitLabel(end);
        if (handled) {
            code.visitJumpInsn(GOTO, behind);
            code.visitLabel(handler);
            code.visitInsn(NOP);
            code.visitInsn(ATHROW);
            code.visitLabel(behind);
        }
    }
}
