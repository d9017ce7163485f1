import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.Opcode;
import java.lang.classfile.instruction.DiscontinuedInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes a class with code that is valid, but that no compiler writes any more, or ever did. */
class MakeOddCode {
    static final ClassDesc SELF = ClassDesc.of("OddCode");
    static final ClassDesc INT = ConstantDescs.CD_int;
    static final MethodTypeDesc II = MethodTypeDesc.of(INT, INT);
    static final MethodTypeDesc VOID_INT = MethodTypeDesc.of(ConstantDescs.CD_void, INT);
    static final MethodTypeDesc VOID = MethodTypeDesc.of(ConstantDescs.CD_void);
    static final MethodTypeDesc MAIN = MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_String.arrayType());
    static final String[] METHODS = {"subroutines", "wide", "shuffles", "loopAtZero", "deadCode", "farJumps", "construct"};

    public static void main(String[] args) throws Exception {
        byte[] bytes = ClassFile.of(ClassFile.StackMapsOption.DROP_STACK_MAPS, ClassFile.DeadCodeOption.KEEP_DEAD_CODE)
                .build(SELF, type -> {
                    // The last version that has subroutines is 50 without stack maps, or 49.
                    type.withVersion(49, 0).withSuperclass(ConstantDescs.CD_Object).withFlags(0x21);
                    type.withField("value", INT, 0x1);
                    type.withMethodBody("subroutines", II, 0x9, MakeOddCode::subroutines);
                    type.withMethodBody("wide", II, 0x9, MakeOddCode::wide);
                    type.withMethodBody("shuffles", II, 0x9, MakeOddCode::shuffles);
                    type.withMethodBody("loopAtZero", II, 0x9, MakeOddCode::loopAtZero);
                    type.withMethodBody("deadCode", II, 0x9, MakeOddCode::deadCode);
                    type.withMethodBody("farJumps", II, 0x9, MakeOddCode::farJumps);
                    type.withMethodBody("construct", II, 0x9, MakeOddCode::construct);
                    type.withMethodBody("<init>", VOID_INT, 0x1, MakeOddCode::twoConstructorCalls);
                    type.withMethodBody("<init>", VOID, 0x1, code -> code.aload(0)
                            .invokespecial(ConstantDescs.CD_Object, "<init>", VOID).return_());
                    type.withMethodBody("main", MAIN, 0x9, MakeOddCode::writeMain);
                });
        Files.write(Path.of(args[0], "OddCode.class"), bytes);
    }

    /** One subroutine called from two places, calling another one. */
    static void subroutines(CodeBuilder code) {
        Label outer = code.newLabel();
        Label inner = code.newLabel();
        code.iconst_0().istore(1);
        code.with(DiscontinuedInstruction.JsrInstruction.of(Opcode.JSR, outer));
        code.iinc(1, 5);
        code.with(DiscontinuedInstruction.JsrInstruction.of(Opcode.JSR_W, outer));
        code.iload(1).ireturn();
        code.labelBinding(outer);
        code.astore(2);
        code.iload(1).iload(0).iadd().istore(1);
        code.with(DiscontinuedInstruction.JsrInstruction.of(Opcode.JSR, inner));
        code.with(DiscontinuedInstruction.RetInstruction.of(2));
        code.labelBinding(inner);
        code.astore(3);
        code.iinc(1, 1);
        code.with(DiscontinuedInstruction.RetInstruction.of(3));
    }

    /** Locals beyond 255 and large increments. */
    static void wide(CodeBuilder code) {
        Label loop = code.newLabel();
        code.iload(0).istore(300);
        code.labelBinding(loop);
        code.iinc(300, 1000);
        code.iload(300).i2l().lstore(400);
        code.iload(300).sipush(5000).if_icmplt(loop);
        code.lload(400).l2i().ireturn();
    }

    static void shuffles(CodeBuilder code) {
        code.iload(0).iconst_2().swap().isub();
        code.iconst_3().dup_x1().iadd().iadd();
        code.iconst_4().iconst_5().dup2_x1().iadd().iadd().iadd().iadd();
        code.iload(0).i2l().iconst_1().dup_x2().pop().l2i().iadd().iadd();
        code.nop();
        code.ldc(5L).dup2().lmul().l2i().iadd();
        code.iconst_1().iconst_2().iconst_3().dup_x2().pop().pop().pop().iadd();
        code.ireturn();
    }

    /** The first instruction is the target of a backward jump. */
    static void loopAtZero(CodeBuilder code) {
        Label start = code.newLabel();
        code.labelBinding(start);
        code.iinc(0, 3);
        code.iload(0).bipush(50).if_icmplt(start);
        code.iload(0).ireturn();
    }

    /** Instructions that nothing leads to. */
    static void deadCode(CodeBuilder code) {
        Label end = code.newLabel();
        Label dead = code.newLabel();
        code.iload(0).ifne(end);
        code.bipush(7).ireturn();
        code.labelBinding(dead);
        code.iinc(0, 1);
        code.goto_(dead);
        code.labelBinding(end);
        code.iload(0).ireturn();
    }

    static void farJumps(CodeBuilder code) {
        Label middle = code.newLabel();
        Label back = code.newLabel();
        Label end = code.newLabel();
        code.goto_w(middle);
        code.labelBinding(back);
        code.iinc(0, 2);
        code.goto_w(end);
        code.labelBinding(middle);
        code.iload(0).iconst_2().if_icmpgt(end);
        code.goto_w(back);
        code.labelBinding(end);
        code.iload(0).ireturn();
    }

    /** A constructor with two calls of others, of which it takes one or the other. */
    static void twoConstructorCalls(CodeBuilder code) {
        Label other = code.newLabel();
        Label end = code.newLabel();
        code.iload(1).iconst_2().irem().ifne(other);
        code.aload(0).invokespecial(ConstantDescs.CD_Object, "<init>", VOID);
        code.goto_(end);
        code.labelBinding(other);
        code.aload(0).invokespecial(SELF, "<init>", VOID);
        code.iinc(1, 10);
        code.labelBinding(end);
        code.aload(0).iload(1).putfield(SELF, "value", INT);
        code.return_();
    }

    static void construct(CodeBuilder code) {
        code.new_(SELF).dup().iload(0).invokespecial(SELF, "<init>", VOID_INT);
        code.getfield(SELF, "value", INT).ireturn();
    }

    static void writeMain(CodeBuilder code) {
        ClassDesc out = ClassDesc.of("java.io.PrintStream");
        for (String method : METHODS) {
            Label loop = code.newLabel();
            code.iconst_0().istore(1);
            code.labelBinding(loop);
            code.getstatic(ClassDesc.of("java.lang.System"), "out", out);
            code.iload(1).invokestatic(SELF, method, II);
            code.invokevirtual(out, "println", MethodTypeDesc.of(ConstantDescs.CD_void, INT));
            code.iinc(1, 1);
            code.iload(1).iconst_5().if_icmplt(loop);
        }
        code.return_();
    }
}
