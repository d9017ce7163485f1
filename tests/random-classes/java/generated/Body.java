package generated;

import static org.objectweb.asm.Opcodes.*;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.objectweb.asm.Label;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.MethodNode;

/**
 * A method of random blocks that jump to each other in any order, so that loops nest, overlap and have
 * several entries. Ranges of blocks have handlers, which are blocks too and may lie in ranges.
 */
class Body {
    /** Nesting of expressions. */
    static final int DEPTH = 3;

    private static final String[] CAUGHT = {
        null, "java/lang/Throwable", "java/lang/RuntimeException", "java/lang/ArithmeticException",
        "java/lang/NullPointerException", "java/lang/ArrayIndexOutOfBoundsException", "java/lang/ClassCastException"
    };

    final TypeContext type;
    final Program program;
    final Random random;
    final MethodNode code;
    final Locals locals;
    final Statements statements;
    private final int access;
    private final String descriptor;

    /** All blocks in the order of the code; handlers among them begin with the thrown object on the stack. */
    private final List<Label> blocks = new ArrayList<>();
    private final List<Boolean> isHandler = new ArrayList<>();
    private final Label exit = new Label();

    Body(TypeContext type, int access, String name, String descriptor) {
        this.type = type;
        this.program = type.program;
        this.random = program.random;
        this.access = access;
        this.descriptor = descriptor;
        code = new MethodNode(access, name, descriptor, null, null);
        int words = (Type.getArgumentsAndReturnSizes(descriptor) >> 2) - ((access & ACC_STATIC) != 0 ? 1 : 0);
        locals = new Locals(words, random);
        statements = new Statements(code, type, locals);
    }

    final void write() {
        code.visitCode();
        plan();
        beforeBlocks();
        assignLocals();
        spend();
        Label first = blocks.get(isHandler.indexOf(false));
        code.visitJumpInsn(GOTO, first);
        for (int at = 0; at < blocks.size(); at++) {
            writeBlock(at);
        }
        code.visitLabel(exit);
        leave();
        statements.writeSubroutine();
        writeRanges();
        // The writer computes them.
        code.visitMaxs(0, 0);
        code.accept(type.writer);
    }

    /** What a constructor does before its other code. */
    void beforeBlocks() {}

    private void plan() {
        int plain = 1 + random.nextInt(6);
        int handlers = random.nextInt(4);
        for (int at = 0; at < plain + handlers; at++) {
            blocks.add(new Label());
            isHandler.add(at >= plain);
        }
        for (int swaps = 0; swaps < blocks.size(); swaps++) {
            int one = random.nextInt(blocks.size());
            int other = random.nextInt(blocks.size());
            isHandler.set(one, isHandler.set(other, isHandler.get(one)));
        }
    }

    /** Called last, so that the handlers of single statements stand before those of the ranges around them. */
    private void writeRanges() {
        for (int handler = 0; handler < blocks.size(); handler++) {
            if (isHandler.get(handler)) {
                int start = random.nextInt(blocks.size());
                int end = start + 1 + random.nextInt(blocks.size() - start);
                Label behind = end < blocks.size() ? blocks.get(end) : exit;
                code.visitTryCatchBlock(blocks.get(start), behind, blocks.get(handler), caught());
            }
        }
    }

    private String caught() {
        int choice = random.nextInt(CAUGHT.length + 1);
        return choice < CAUGHT.length ? CAUGHT[choice] : program.name("Failure");
    }

    private void assignLocals() {
        List<Integer> ints = new ArrayList<>();
        int word = (access & ACC_STATIC) != 0 ? 0 : 1;
        boolean hasObject = false;
        for (Type argument : Type.getArgumentTypes(descriptor)) {
            if (argument.getSort() == Type.INT) {
                ints.add(word);
            }
            hasObject |= argument.getSort() == Type.OBJECT;
            word += argument.getSize();
        }
        if (ints.isEmpty()) {
            code.visitIntInsn(BIPUSH, random.nextInt(100));
        } else {
            code.visitVarInsn(ILOAD, ints.get(0));
        }
        code.visitInsn(DUP);
        code.visitVarInsn(ISTORE, locals.int0);
        code.visitVarInsn(ISTORE, locals.sum);
        code.visitIntInsn(BIPUSH, random.nextInt(100));
        code.visitVarInsn(ISTORE, locals.int1);
        code.visitLdcInsn((long) random.nextInt(1 << 20));
        code.visitVarInsn(LSTORE, locals.long0);
        code.visitInsn(DCONST_1);
        code.visitVarInsn(DSTORE, locals.double0);
        code.visitInsn(FCONST_2);
        code.visitVarInsn(FSTORE, locals.float0);
        if (hasObject) {
            code.visitVarInsn(ALOAD, 0);
        } else {
            code.visitInsn(ACONST_NULL);
        }
        code.visitVarInsn(ASTORE, locals.object);
        code.visitInsn(ACONST_NULL);
        code.visitVarInsn(ASTORE, locals.instance);
        code.visitInsn(ICONST_4);
        code.visitIntInsn(NEWARRAY, T_INT);
        code.visitVarInsn(ASTORE, locals.array);
        code.visitInsn(ACONST_NULL);
        code.visitVarInsn(ASTORE, locals.throwable);
    }

    /** Takes one step of the program's fuel; without any left the method returns. */
    private void spend() {
        code.visitFieldInsn(GETSTATIC, program.name("Main"), "fuel", "I");
        code.visitInsn(ICONST_1);
        code.visitInsn(ISUB);
        code.visitInsn(DUP);
        code.visitFieldInsn(PUTSTATIC, program.name("Main"), "fuel", "I");
        code.visitJumpInsn(IFLE, exit);
    }

    private void writeBlock(int at) {
        code.visitLabel(blocks.get(at));
        if (isHandler.get(at)) {
            code.visitVarInsn(ASTORE, locals.throwable);
            // What follows may throw back to here.
            spend();
        }
        int count = random.nextInt(4);
        for (int statement = 0; statement < count; statement++) {
            statements.write();
        }
        boolean mayFallThrough = at + 1 < blocks.size() && !isHandler.get(at + 1);
        writeEnd(at, mayFallThrough);
    }

    private void writeEnd(int at, boolean mayFallThrough) {
        switch (random.nextInt(mayFallThrough ? 10 : 8)) {
            case 0 -> jumpTo(target(at));
            case 1 -> {
                statements.pushThrowable();
                code.visitInsn(ATHROW);
            }
            case 2 -> writeSwitch(at);
            case 3 -> code.visitJumpInsn(GOTO, exit);
            case 4, 5, 6, 7 -> {
                Label taken = target(at);
                statements.pushCondition();
                code.visitJumpInsn(statements.condition(), taken);
                jumpTo(target(at));
            }
            case 8 -> {
                Label taken = target(at);
                statements.pushCondition();
                code.visitJumpInsn(statements.condition(), taken);
            }
            default -> code.visitInsn(NOP);
        }
    }

    private void jumpTo(Label target) {
        code.visitJumpInsn(GOTO, target);
    }

    /** A block to jump to from block {@code at}; for one that does not lie ahead, fuel is spent first. */
    private Label target(int at) {
        int target;
        do {
            target = random.nextInt(blocks.size());
        } while (isHandler.get(target));
        if (target <= at) {
            spend();
        }
        return blocks.get(target);
    }

    private void writeSwitch(int at) {
        Label[] targets = new Label[random.nextInt(5)];
        for (int branch = 0; branch < targets.length; branch++) {
            targets[branch] = target(at);
        }
        Label otherwise = target(at);
        statements.pushInt();
        if (targets.length > 0 && random.nextBoolean()) {
            int low = random.nextInt(5) == 0 ? Integer.MAX_VALUE - targets.length : random.nextInt(5) - 2;
            code.visitInsn(ICONST_3);
            code.visitInsn(IREM);
            code.visitTableSwitchInsn(low, low + targets.length - 1, otherwise, targets);
            return;
        }
        int[] keys = new int[targets.length];
        int key = Integer.MIN_VALUE;
        for (int branch = 0; branch < keys.length; branch++) {
            keys[branch] = key;
            key = branch == 0 ? -1 : key + 1 + random.nextInt(3);
        }
        code.visitInsn(ICONST_2);
        code.visitInsn(IREM);
        code.visitLookupSwitchInsn(otherwise, keys, targets);
    }

    /** Adds to what the program computes, and returns. */
    private void leave() {
        code.visitFieldInsn(GETSTATIC, program.name("Main"), "sum", "I");
        code.visitVarInsn(ILOAD, locals.sum);
        code.visitInsn(IADD);
        code.visitFieldInsn(PUTSTATIC, program.name("Main"), "sum", "I");
        switch (Type.getReturnType(descriptor).getSort()) {
            case Type.VOID -> code.visitInsn(RETURN);
            case Type.INT -> {
                code.visitVarInsn(ILOAD, locals.sum);
                code.visitInsn(IRETURN);
            }
            case Type.LONG -> {
                code.visitVarInsn(LLOAD, locals.long0);
                code.visitInsn(LRETURN);
            }
            case Type.DOUBLE -> {
                code.visitVarInsn(DLOAD, locals.double0);
                code.visitInsn(DRETURN);
            }
            default -> {
                code.visitVarInsn(ALOAD, locals.object);
                code.visitInsn(ARETURN);
            }
        }
    }
}
