package secondwitness;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;

/** Inserts calls of {@link Counts} into a class: at the entry of its methods and before every {@link Run}. */
final class CountingRewriter {
    private static final String COUNTS = "secondwitness/Counts";

    /** Words that the arguments of the inserted calls need on the stack. */
    private static final int ARGUMENT_WORDS = 2;

    private final byte[] original;

    /** Methods that have no room for the calls, by name and descriptor. */
    private final Set<String> tooLarge = new HashSet<>();

    CountingRewriter(byte[] original) {
        this.original = original;
    }

    byte[] rewrite() {
        ClassNode node = new ClassNode();
        new ClassReader(original).accept(node, 0);
        for (MethodNode method : node.methods) {
            if (method.instructions.size() > 0 && !tooLarge.contains(method.name + method.desc)) {
                count(node.name, method);
            }
        }
        ClassWriter writer = new ClassWriter(0);
        node.accept(writer);
        try {
            return writer.toByteArray();
        } catch (MethodTooLargeException e) {
            Counts.leaveOut(name(node.name, e.getMethodName(), e.getDescriptor()));
            tooLarge.add(e.getMethodName() + e.getDescriptor());
            return rewrite();
        }
    }

    private static void count(String className, MethodNode method) {
        int number = Counts.number(name(className, method.name, method.desc));
        for (Run run : Run.allOf(method)) {
            insertBefore(method, run.first(), countOf(run.length(), number));
        }
        InsnList entry = new InsnList();
        entry.add(constant(number));
        entry.add(new MethodInsnNode(Opcodes.INVOKESTATIC, COUNTS, "call", "(I)V", false));
        // Behind no label, so that jumps to the first instruction pass it by.
        method.instructions.insert(entry);
        method.maxStack += ARGUMENT_WORDS;
    }

    private static String name(String className, String method, String descriptor) {
        return className.replace('/', '.') + "\t" + method + "\t" + descriptor;
    }

    private static InsnList countOf(int length, int number) {
        InsnList call = new InsnList();
        call.add(constant(length));
        call.add(constant(number));
        call.add(new MethodInsnNode(Opcodes.INVOKESTATIC, COUNTS, "bytecodes", "(II)V", false));
        return call;
    }

    private static AbstractInsnNode constant(int value) {
        if (value <= 5) {
            return new InsnNode(Opcodes.ICONST_0 + value);
        }
        return value <= Short.MAX_VALUE ? new IntInsnNode(Opcodes.SIPUSH, value) : new LdcInsnNode(value);
    }

    private static void insertBefore(MethodNode method, AbstractInsnNode instruction, InsnList call) {
        Set<AbstractInsnNode> labels = labelsBefore(instruction);
        method.instructions.insertBefore(instruction, call);
        if (instruction.getOpcode() == Opcodes.NEW && !labels.isEmpty()) {
            nameAnew(method, instruction, labels);
        }
    }

    private static Set<AbstractInsnNode> labelsBefore(AbstractInsnNode instruction) {
        Set<AbstractInsnNode> labels = new HashSet<>();
        AbstractInsnNode at = instruction.getPrevious();
        while (at != null && at.getOpcode() < 0) {
            if (at instanceof LabelNode) {
                labels.add(at);
            }
            at = at.getPrevious();
        }
        return labels;
    }

    /**
     * Frames name an uninitialised object by the label of the instruction that makes it. That label now
     * stands before the inserted call, so the instruction gets one of its own.
     */
    private static void nameAnew(MethodNode method, AbstractInsnNode creation, Set<AbstractInsnNode> labels) {
        LabelNode own = new LabelNode();
        method.instructions.insertBefore(creation, own);
        for (AbstractInsnNode instruction : method.instructions) {
            if (instruction instanceof FrameNode frame) {
                rename(frame.local, labels, own);
                rename(frame.stack, labels, own);
            }
        }
    }

    private static void rename(List<Object> types, Set<AbstractInsnNode> labels, LabelNode own) {
        if (types != null) {
            types.replaceAll(type -> type instanceof LabelNode && labels.contains(type) ? own : type);
        }
    }
}
