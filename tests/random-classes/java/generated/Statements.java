package generated;

import static org.objectweb.asm.Opcodes.*;

import java.util.Random;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;

/** Code that begins and ends with an empty stack and changes a method's values. */
final class Statements {
    private final MethodVisitor code;
    private final TypeContext type;
    private final Program program;
    private final Random random;
    private final Locals locals;
    private final Expressions expressions;
    private Label subroutine;

    /** Which instruction the last condition wants. */
    private int condition;

    Statements(MethodVisitor code, TypeContext type, Locals locals) {
        this.code = code;
        this.type = type;
        this.program = type.program;
        this.random = program.random;
        this.locals = locals;
        this.expressions = new Expressions(code, type, locals);
    }

    void write() {
        switch (random.nextInt(14)) {
            case 0, 1 -> {
                pushInt();
                code.visitVarInsn(ISTORE, random.nextBoolean() ? locals.int0 : locals.int1);
            }
            case 2 -> code.visitIincInsn(locals.int0, random.nextInt(4) == 0 ? 1000 : random.nextInt(9) - 4);
            case 3 -> {
                expressions.pushLong(Body.DEPTH);
                code.visitVarInsn(LSTORE, locals.long0);
            }
            case 4 -> {
                expressions.pushDouble(Body.DEPTH);
                code.visitVarInsn(DSTORE, locals.double0);
            }
            case 5 -> {
                expressions.pushObject(Body.DEPTH);
                code.visitVarInsn(ASTORE, locals.object);
            }
            case 6 -> {
                expressions.pushInstance(Body.DEPTH);
                code.visitVarInsn(ASTORE, locals.instance);
            }
            case 7 -> {
                expressions.pushArray(0);
                expressions.pushIndex(1);
                expressions.pushInt(1);
                code.visitInsn(IASTORE);
            }
            case 8 -> writeFields();
            case 9 -> writeObjects();
            case 10 -> writeSynchronized();
            case 11 -> writeSubroutineCall();
            default -> {
                code.visitVarInsn(ILOAD, locals.sum);
                pushInt();
                code.visitInsn(new int[] {IADD, IXOR, ISUB}[random.nextInt(3)]);
                code.visitVarInsn(ISTORE, locals.sum);
            }
        }
    }

    void pushInt() {
        expressions.pushInt(Body.DEPTH);
    }

    /** Operands of a comparison; {@link #condition} is the instruction. */
    void pushCondition() {
        switch (random.nextInt(4)) {
            case 0 -> {
                expressions.pushObject(1);
                condition = random.nextBoolean() ? IFNULL : IFNONNULL;
            }
            case 1 -> {
                code.visitVarInsn(ALOAD, locals.object);
                expressions.pushObject(1);
                condition = random.nextBoolean() ? IF_ACMPEQ : IF_ACMPNE;
            }
            case 2 -> {
                pushInt();
                expressions.pushInt(1);
                condition = IF_ICMPEQ + random.nextInt(6);
            }
            default -> {
                pushInt();
                condition = IFEQ + random.nextInt(6);
            }
        }
    }

    int condition() {
        return condition;
    }

    /** Something to throw: a new object, null, or what was caught. */
    void pushThrowable() {
        switch (random.nextInt(4)) {
            case 0 -> code.visitInsn(ACONST_NULL);
            case 1 -> code.visitVarInsn(ALOAD, locals.throwable);
            default -> {
                code.visitTypeInsn(NEW, program.name("Failure"));
                code.visitInsn(DUP);
                expressions.pushInt(1);
                code.visitMethodInsn(INVOKESPECIAL, program.name("Failure"), "<init>", "(I)V", false);
            }
        }
    }

    private void writeFields() {
        if (random.nextBoolean()) {
            expressions.pushLong(1);
            String owner = program.anyClass();
            code.visitFieldInsn(PUTSTATIC, owner, "g" + owner.charAt(owner.length() - 1), "J");
        } else {
            expressions.pushInstance(1);
            expressions.pushInt(1);
            code.visitFieldInsn(PUTFIELD, program.name("A"), "fA", "I");
        }
    }

    /** Stores into an array of references, which sometimes does not take them. */
    private void writeObjects() {
        code.visitInsn(ICONST_2);
        code.visitTypeInsn(ANEWARRAY, random.nextInt(3) == 0 ? "java/lang/String" : program.name("A"));
        code.visitInsn(ICONST_1);
        expressions.pushObject(2);
        code.visitInsn(AASTORE);
    }

    /** A block that holds a lock, and gives it back also when it is left by an exception. */
    private void writeSynchronized() {
        Label start = new Label();
        Label end = new Label();
        Label handler = new Label();
        Label handlerEnd = new Label();
        Label behind = new Label();
        expressions.pushArray(1);
        code.visitInsn(DUP);
        code.visitVarInsn(ASTORE, locals.scratch);
        code.visitInsn(MONITORENTER);
        code.visitTryCatchBlock(start, end, handler, null);
        code.visitTryCatchBlock(handler, handlerEnd, handler, null);
        code.visitLabel(start);
        pushInt();
        code.visitVarInsn(ISTORE, locals.int1);
        code.visitVarInsn(ALOAD, locals.scratch);
        code.visitInsn(MONITOREXIT);
        code.visitLabel(end);
        code.visitJumpInsn(GOTO, behind);
        code.visitLabel(handler);
        code.visitVarInsn(ASTORE, locals.throwable);
        code.visitVarInsn(ALOAD, locals.scratch);
        code.visitInsn(MONITOREXIT);
        code.visitLabel(handlerEnd);
        code.visitVarInsn(ALOAD, locals.throwable);
        code.visitInsn(ATHROW);
        code.visitLabel(behind);
    }

    /** A call of a subroutine of this method, as old compilers wrote {@code finally}. */
    private void writeSubroutineCall() {
        if (type.isAtLeast(V1_6)) {
            pushInt();
            code.visitInsn(POP);
            return;
        }
        // The only one in the method: where return addresses meet, JDK 17 by itself cannot link the class,
        // and crashes when it is asked for again.
        if (subroutine == null) {
            subroutine = new Label();
            code.visitJumpInsn(JSR, subroutine);
            code.visitInsn(ACONST_NULL);
            code.visitVarInsn(ASTORE, locals.scratch + 1);
        } else {
            code.visitInsn(NOP);
        }
    }

    /** Writes the subroutine if it is called. */
    void writeSubroutine() {
        if (subroutine != null) {
            code.visitLabel(subroutine);
            code.visitVarInsn(ASTORE, locals.scratch + 1);
            pushInt();
            code.visitVarInsn(ISTORE, locals.int1);
            code.visitVarInsn(RET, locals.scratch + 1);
        }
    }
}
