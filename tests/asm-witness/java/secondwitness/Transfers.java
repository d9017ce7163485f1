package secondwitness;

import static org.objectweb.asm.Opcodes.*;

import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;

/** Which instructions may be followed by another one than the next. */
final class Transfers {
    private Transfers() {}

    /**
     * True if the instruction jumps, returns or may throw (chapter 6.5 of the JVM specification, "Linking
     * Exceptions" and "Run-time Exceptions").
     */
    static boolean control(AbstractInsnNode instruction) {
        if (instruction instanceof LdcInsnNode load) {
            // Classes, method types, handles and dynamic constants are resolved.
            return !(load.cst instanceof Number || load.cst instanceof String);
        }
        return !goesOn(instruction.getOpcode());
    }

    private static boolean goesOn(int opcode) {
        return opcode <= SIPUSH
                || isBetween(opcode, ILOAD, ALOAD)
                || isBetween(opcode, ISTORE, ASTORE)
                || isBetween(opcode, POP, DMUL)
                || opcode == FDIV
                || opcode == DDIV
                || opcode == FREM
                || opcode == DREM
                || isBetween(opcode, INEG, DCMPG);
    }

    private static boolean isBetween(int opcode, int first, int last) {
        return first <= opcode && opcode <= last;
    }
}
