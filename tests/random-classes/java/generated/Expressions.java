package generated;

import static org.objectweb.asm.Opcodes.*;

import java.util.Random;
import org.objectweb.asm.ConstantDynamic;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Type;

/** Code that leaves one value on the stack, whatever lies below it. Most of it may throw. */
final class Expressions {
    static final String BOOTSTRAP =
            "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/Class;)Ljava/lang/Object;";

    private static final String METAFACTORY = "(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;"
            + "Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodHandle;"
            + "Ljava/lang/invoke/MethodType;)Ljava/lang/invoke/CallSite;";

    private final MethodVisitor code;
    private final TypeContext type;
    private final Program program;
    private final Random random;
    private final Locals locals;

    Expressions(MethodVisitor code, TypeContext type, Locals locals) {
        this.code = code;
        this.type = type;
        this.program = type.program;
        this.random = program.random;
        this.locals = locals;
    }

    /** An int; {@code depth} bounds how deep expressions nest, and so the code's size. */
    void pushInt(int depth) {
        if (depth <= 0) {
            pushSimpleInt();
            return;
        }
        switch (random.nextInt(20)) {
            case 0, 1, 2 -> binaryInt(depth);
            case 3 -> {
                pushLong(depth - 1);
                code.visitInsn(L2I);
            }
            case 4 -> {
                pushDouble(depth - 1);
                code.visitInsn(D2I);
            }
            case 5 -> {
                pushLong(depth - 1);
                pushLong(depth - 1);
                code.visitInsn(LCMP);
            }
            case 6 -> {
                pushDouble(depth - 1);
                pushDouble(depth - 1);
                code.visitInsn(random.nextBoolean() ? DCMPL : DCMPG);
            }
            case 7 -> choose(depth);
            case 8 -> {
                pushArray(depth - 1);
                pushIndex(depth - 1);
                code.visitInsn(IALOAD);
            }
            case 9 -> {
                pushArray(depth - 1);
                code.visitInsn(ARRAYLENGTH);
            }
            case 10 -> {
                pushInstance(depth - 1);
                code.visitFieldInsn(GETFIELD, program.name("A"), "fA", "I");
            }
            case 11 -> {
                pushObject(depth - 1);
                code.visitTypeInsn(INSTANCEOF, random.nextBoolean() ? program.anyClass() : program.name("I"));
            }
            case 12 -> stackMoves(depth);
            case 13 -> library(depth);
            case 14 -> lambda(depth);
            case 15 -> dynamicConstant();
            default -> callInt(depth);
        }
    }

    private void pushSimpleInt() {
        switch (random.nextInt(5)) {
            case 0 -> code.visitVarInsn(ILOAD, locals.int0);
            case 1 -> code.visitVarInsn(ILOAD, locals.int1);
            case 2 -> code.visitInsn(ICONST_M1 + random.nextInt(7));
            case 3 -> code.visitIntInsn(BIPUSH, random.nextInt(256) - 128);
            default -> code.visitLdcInsn(random.nextInt());
        }
    }

    private void binaryInt(int depth) {
        int[] operations = {IADD, ISUB, IMUL, IDIV, IREM, ISHL, ISHR, IUSHR, IAND, IOR, IXOR};
        pushInt(depth - 1);
        pushInt(depth - 1);
        code.visitInsn(operations[random.nextInt(operations.length)]);
        if (random.nextInt(4) == 0) {
            code.visitInsn(new int[] {INEG, I2B, I2C, I2S}[random.nextInt(4)]);
        }
    }

    /** Two ways to a value, with whatever is on the stack below. */
    private void choose(int depth) {
        Label other = new Label();
        Label end = new Label();
        pushInt(depth - 1);
        code.visitJumpInsn(IFEQ + random.nextInt(6), other);
        pushInt(depth - 1);
        code.visitJumpInsn(GOTO, end);
        code.visitLabel(other);
        pushInt(depth - 1);
        code.visitLabel(end);
    }

    /** The instructions that only move words; in the end one int more is there. */
    private void stackMoves(int depth) {
        pushInt(depth - 1);
        pushInt(depth - 1);
        switch (random.nextInt(4)) {
            case 0 -> {
                code.visitInsn(DUP_X1);
                code.visitInsn(POP2);
            }
            case 1 -> {
                code.visitInsn(DUP2);
                code.visitInsn(IADD);
                code.visitInsn(DUP_X2);
                code.visitInsn(POP);
                code.visitInsn(POP2);
            }
            case 2 -> {
                code.visitInsn(SWAP);
                code.visitInsn(ISUB);
            }
            default -> {
                pushInt(0);
                code.visitInsn(DUP2_X1);
                code.visitInsn(POP2);
                code.visitInsn(IADD);
                code.visitInsn(IADD);
            }
        }
    }

    /** Methods of the class library, some of which call back. */
    private void library(int depth) {
        switch (random.nextInt(4)) {
            case 0 -> {
                pushInt(depth - 1);
                pushInt(depth - 1);
                code.visitMethodInsn(INVOKESTATIC, "java/lang/Math", "floorMod", "(II)I", false);
            }
            case 1 -> {
                pushInt(depth - 1);
                code.visitMethodInsn(INVOKESTATIC, "java/lang/String", "valueOf", "(I)Ljava/lang/String;", false);
                code.visitMethodInsn(INVOKEVIRTUAL, "java/lang/String", "hashCode", "()I", false);
            }
            case 2 -> {
                pushArray(depth - 1);
                code.visitInsn(ICONST_0);
                pushArray(0);
                code.visitInsn(ICONST_0);
                pushInt(0);
                code.visitMethodInsn(INVOKESTATIC, "java/lang/System", "arraycopy",
                        "(Ljava/lang/Object;ILjava/lang/Object;II)V", false);
                code.visitInsn(ICONST_2);
            }
            default -> {
                String lambda = type.isAtLeast(V1_8) ? type.lambda() : null;
                pushArray(0);
                if (lambda != null) {
                    code.visitInsn(DUP);
                    pushLambda(lambda);
                    code.visitMethodInsn(INVOKESTATIC, "java/util/Arrays", "setAll",
                            "([ILjava/util/function/IntUnaryOperator;)V", false);
                }
                code.visitMethodInsn(INVOKESTATIC, "java/util/Arrays", "hashCode", "([I)I", false);
            }
        }
    }

    private void lambda(int depth) {
        String lambda = type.isAtLeast(V1_8) ? type.lambda() : null;
        if (lambda == null) {
            pushInt(depth - 1);
            return;
        }
        pushLambda(lambda);
        pushInt(depth - 1);
        code.visitMethodInsn(INVOKEINTERFACE, "java/util/function/IntUnaryOperator", "applyAsInt", "(I)I", true);
    }

    private void pushLambda(String name) {
        Handle metafactory =
                new Handle(H_INVOKESTATIC, "java/lang/invoke/LambdaMetafactory", "metafactory", METAFACTORY, false);
        Handle body = new Handle(H_INVOKESTATIC, type.name, name, "(I)I", type.isInterface());
        Type signature = Type.getMethodType("(I)I");
        code.visitInvokeDynamicInsn("applyAsInt", "()Ljava/util/function/IntUnaryOperator;", metafactory,
                signature, body, signature);
    }

    private void dynamicConstant() {
        if (!type.isAtLeast(V11) || type.isInterface()) {
            pushSimpleInt();
            return;
        }
        type.wantConstant();
        Handle bootstrap = new Handle(H_INVOKESTATIC, type.name, "constant", BOOTSTRAP, false);
        code.visitLdcInsn(new ConstantDynamic("k" + random.nextInt(3), "I", bootstrap));
    }

    private void callInt(int depth) {
        switch (random.nextInt(8)) {
            case 0, 1 -> {
                pushInt(depth - 1);
                pushLong(depth - 1);
                boolean ofInterface = program.interfaceHasCode() && type.isAtLeast(V1_8) && random.nextInt(4) == 0;
                code.visitMethodInsn(INVOKESTATIC, ofInterface ? program.name("I") : program.anyClass(),
                        "s", "(IJ)I", ofInterface);
            }
            case 2 -> {
                pushInstance(depth - 1);
                pushInt(depth - 1);
                code.visitMethodInsn(INVOKEVIRTUAL, program.name("A"), "m", "(I)I", false);
            }
            case 3 -> {
                pushInstance(depth - 1);
                pushInt(depth - 1);
                String name = program.interfaceHasCode() && random.nextBoolean() ? "d" : "m";
                code.visitMethodInsn(INVOKEINTERFACE, program.name("I"), name, "(I)I", true);
            }
            case 4 -> {
                pushObject(depth - 1);
                code.visitTypeInsn(CHECKCAST, program.anyClass());
                pushInt(depth - 1);
                code.visitMethodInsn(INVOKEVIRTUAL, program.name("A"), "m", "(I)I", false);
            }
            case 5, 6 -> {
                if (type.isInterface() || type.name.equals(program.name("Main"))) {
                    pushInt(depth - 1);
                    return;
                }
                // Of this class and of its superclass, whatever the instance overrides.
                pushInstance(depth - 1);
                code.visitTypeInsn(CHECKCAST, type.name);
                pushInt(depth - 1);
                boolean ofSuperclass = type.superclass.startsWith(program.folder) && random.nextBoolean();
                code.visitMethodInsn(INVOKESPECIAL, ofSuperclass ? type.superclass : type.name,
                        ofSuperclass ? "m" : "p", "(I)I", false);
            }
            default -> {
                pushInt(depth - 1);
                code.visitMethodInsn(INVOKESTATIC, program.name("Main"), "start", "(I)I", false);
            }
        }
    }

    void pushLong(int depth) {
        switch (depth <= 0 ? random.nextInt(2) : random.nextInt(7)) {
            case 0 -> code.visitVarInsn(LLOAD, locals.long0);
            case 1 -> code.visitLdcInsn(random.nextLong());
            case 2 -> {
                pushInt(depth - 1);
                code.visitInsn(I2L);
            }
            case 3, 4 -> {
                int[] operations = {LADD, LSUB, LMUL, LDIV, LREM, LAND, LOR, LXOR};
                pushLong(depth - 1);
                pushLong(depth - 1);
                code.visitInsn(operations[random.nextInt(operations.length)]);
            }
            case 5 -> code.visitFieldInsn(GETSTATIC, program.name("B"), "gB", "J");
            default -> {
                pushInstance(depth - 1);
                pushLong(depth - 1);
                pushDouble(depth - 1);
                code.visitMethodInsn(INVOKEVIRTUAL, program.name("A"), "v", "(JD)J", false);
            }
        }
    }

    void pushDouble(int depth) {
        switch (depth <= 0 ? random.nextInt(3) : random.nextInt(7)) {
            case 0 -> code.visitVarInsn(DLOAD, locals.double0);
            case 1 -> code.visitInsn(random.nextBoolean() ? DCONST_0 : DCONST_1);
            case 2 -> code.visitLdcInsn(random.nextInt(1000) / 8.0);
            case 3 -> {
                pushFloat(depth - 1);
                code.visitInsn(F2D);
            }
            case 4, 5 -> {
                pushDouble(depth - 1);
                pushDouble(depth - 1);
                code.visitInsn(new int[] {DADD, DSUB, DMUL, DDIV, DREM}[random.nextInt(5)]);
            }
            default -> {
                pushDouble(depth - 1);
                pushFloat(depth - 1);
                pushInt(depth - 1);
                code.visitMethodInsn(INVOKESTATIC, program.anyClass(), "q", "(DFI)D", false);
            }
        }
    }

    void pushFloat(int depth) {
        if (depth <= 0 || random.nextBoolean()) {
            code.visitVarInsn(FLOAD, locals.float0);
        } else {
            pushInt(depth - 1);
            code.visitInsn(I2F);
        }
    }

    /** Any reference. */
    void pushObject(int depth) {
        switch (depth <= 0 ? random.nextInt(3) : random.nextInt(7)) {
            case 0 -> code.visitVarInsn(ALOAD, locals.object);
            case 1 -> code.visitInsn(ACONST_NULL);
            case 2 -> code.visitLdcInsn("text" + random.nextInt(9));
            case 3 -> pushInstance(depth - 1);
            case 4 -> pushArray(depth - 1);
            case 5 -> {
                pushObject(depth - 1);
                pushInt(depth - 1);
                code.visitMethodInsn(INVOKESTATIC, program.anyClass(), "o",
                        "(Ljava/lang/Object;I)Ljava/lang/Object;", false);
            }
            default -> {
                pushSize();
                pushSize();
                code.visitMultiANewArrayInsn("[[J", 2);
            }
        }
    }

    /** An instance of A, of a subclass, or null. */
    void pushInstance(int depth) {
        if (depth < 0 || random.nextInt(4) == 0) {
            code.visitVarInsn(ALOAD, locals.instance);
            return;
        }
        String name = program.anyClass();
        code.visitTypeInsn(NEW, name);
        code.visitInsn(DUP);
        // Sometimes with jumps, so that frames hold the object before it is initialised.
        pushInt(depth - 1);
        code.visitMethodInsn(INVOKESPECIAL, name, "<init>", "(I)V", false);
    }

    /** An array of ints or null. */
    void pushArray(int depth) {
        if (depth <= 0 || random.nextInt(3) > 0) {
            code.visitVarInsn(ALOAD, locals.array);
            return;
        }
        pushSize();
        code.visitIntInsn(NEWARRAY, T_INT);
    }

    /** Mostly a small number, sometimes a negative one. */
    private void pushSize() {
        code.visitInsn(random.nextInt(20) == 0 ? ICONST_M1 : ICONST_4);
    }

    /** An index into such an array, or beyond it. */
    void pushIndex(int depth) {
        pushInt(depth);
        if (random.nextInt(8) > 0) {
            code.visitInsn(ICONST_3);
            code.visitInsn(IAND);
        }
    }
}
