import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes a class with loops that are entered in the middle, which no Java source has: HotSpot's own compilers treat
 * them apart, and so do analyses of natural loops.
 */
class MakeIrreducible {
    static final ClassDesc SELF = ClassDesc.of("Irreducible");
    static final MethodTypeDesc II = MethodTypeDesc.of(ConstantDescs.CD_int, ConstantDescs.CD_int);
    static final MethodTypeDesc MAIN = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String.arrayType());

    public static void main(String[] args) throws Exception {
        byte[] bytes = ClassFile.of(ClassFile.StackMapsOption.DROP_STACK_MAPS, ClassFile.DeadCodeOption.KEEP_DEAD_CODE)
                .build(SELF, type -> {
                    // Verified by inference, without stack maps.
                    type.withVersion(49, 0).withSuperclass(ConstantDescs.CD_Object).withFlags(0x21);
                    type.withMethodBody("twoEntries", II, 0x9, MakeIrreducible::twoEntries);
                    type.withMethodBody("threeBlocks", II, 0x9, MakeIrreducible::threeBlocks);
                    type.withMethodBody("intoHandler", II, 0x9, MakeIrreducible::intoHandler);
                    type.withMethodBody("main", MAIN, 0x9, MakeIrreducible::writeMain);
                });
        Files.write(Path.of(args[0], "Irreducible.class"), bytes);
    }

    /** A loop of two blocks, A and B; an odd argument enters at B. */
    static void twoEntries(CodeBuilder code) {
        Label a = code.newLabel();
        Label b = code.newLabel();
        Label end = code.newLabel();
        code.iconst_0().istore(1);
        code.iload(0).iconst_1().iand().ifne(b);
        code.labelBinding(a);
        code.iload(1).iconst_3().iadd().istore(1);
        code.iload(1).bipush(100).if_icmpgt(end);
        code.labelBinding(b);
        code.iload(1).iload(0).iadd().istore(1);
        code.iinc(0, 1);
        code.iload(0).bipush(20).if_icmple(a);
        code.labelBinding(end);
        code.iload(1).ireturn();
    }

    /** Three blocks that lead to each other in turn, entered by a switch at any of them, with a call in each. */
    static void threeBlocks(CodeBuilder code) {
        Label[] blocks = {code.newLabel(), code.newLabel(), code.newLabel()};
        Label end = code.newLabel();
        code.iconst_0().istore(1);
        code.iload(0).iconst_3().irem();
        code.tableswitch(0, 2, end, java.util.List.of(
                java.lang.classfile.instruction.SwitchCase.of(0, blocks[0]),
                java.lang.classfile.instruction.SwitchCase.of(1, blocks[1]),
                java.lang.classfile.instruction.SwitchCase.of(2, blocks[2])));
        for (int i = 0; i < 3; i++) {
            code.labelBinding(blocks[i]);
            code.iinc(1, i + 1);
            code.iload(1).invokestatic(ClassDesc.of("java.lang.Math"), "abs", II);
            code.bipush(40 + i).if_icmpgt(end);
            code.iload(1).iconst_2().irem().ifeq(blocks[(i + 2) % 3]);
        }
        code.goto_(blocks[0]);
        code.labelBinding(end);
        code.iload(1).ireturn();
    }

    /** A block inside a protected range that is also its own handler's target, and throws again. */
    static void intoHandler(CodeBuilder code) {
        Label start = code.newLabel();
        Label end = code.newLabel();
        Label handler = code.newLabel();
        Label done = code.newLabel();
        code.iconst_0().istore(1);
        code.iconst_0().istore(2);
        code.labelBinding(start);
        // 12 / (argument - 2) throws once; the handler covers itself.
        code.iinc(2, 1);
        code.bipush(12).iload(0).iconst_2().isub().idiv().istore(1);
        code.goto_(done);
        code.labelBinding(handler);
        code.pop();
        code.iinc(0, 1);
        code.bipush(24).iload(0).iconst_3().isub().idiv().istore(1);
        code.labelBinding(end);
        code.iload(2).bipush(10).if_icmplt(start);
        code.labelBinding(done);
        code.iload(1).iload(2).iadd().ireturn();
        code.exceptionCatchAll(start, end, handler);
    }

    static void writeMain(CodeBuilder code) {
        ClassDesc out = ClassDesc.of("java.io.PrintStream");
        MethodTypeDesc print = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_int);
        for (String method : new String[] {"twoEntries", "threeBlocks", "intoHandler"}) {
            Label loop = code.newLabel();
            code.iconst_0().istore(1);
            code.labelBinding(loop);
            code.getstatic(ClassDesc.of("java.lang.System"), "out", out);
            code.iload(1).invokestatic(SELF, method, II);
            code.invokevirtual(out, "println", print);
            code.iinc(1, 1);
            code.iload(1).bipush(6).if_icmplt(loop);
        }
        code.return_();
    }
}
