package generated;

import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.VarInsnNode;
import secondwitness.Run;

/**
 * Rewrites a generated class so that it counts what it executes, in each calling context.
 *
 * <p>A method keeps its context in a new local variable and hands it over with each {@link Run} that
 * it counts, and says when it returns, since the JVM or the JDK may call the next method before the
 * caller goes on. A call ends a run, and so does whatever makes the JVM call something; therefore the
 * current context is the caller's whenever a method is entered, also after exceptions: a method that
 * catches one begins a run.
 */
final class ContextRewriter {
    private static final String COUNTS = "generated/ContextCounts";

    private final byte[] original;
    ContextRewriter(byte[] original) {
        this.original = original;
    }

    byte[] rewrite() {
        ClassReader reader = new ClassReader(original);
        boolean hasFrames = reader.readUnsignedShort(6) >= Opcodes.V1_6;
        ClassNode node = new ClassNode();
        reader.accept(node, ClassReader.SKIP_FRAMES);
        for (MethodNode method : node.methods) {
            if (method.instructions.size() > 0) {
                count(node.name, method);
            }
        }
        String folder = node.name.substring(0, node.name.lastIndexOf('/') + 1);
        ClassWriter writer = new ClassWriter(hasFrames ? ClassWriter.COMPUTE_FRAMES : ClassWriter.COMPUTE_MAXS) {
            @Override
            protected String getCommonSuperClass(String left, String right) {
                return CommonSuperclass.of(left, right, folder);
            }
        };
        node.accept(writer);
        return writer.toByteArray();
    }

    private static void count(String className, MethodNode method) {
        int context = method.maxLocals;
        for (Run run : Run.allOf(method)) {
            InsnList call = new InsnList();
            call.add(new VarInsnNode(Opcodes.ILOAD, context));
            call.add(new IntInsnNode(Opcodes.SIPUSH, run.length()));
            call.add(new MethodInsnNode(Opcodes.INVOKESTATIC, COUNTS, "run", "(II)V", false));
            method.instructions.insertBefore(run.first(), call);
        }
        for (AbstractInsnNode instruction : method.instructions.toArray()) {
            if (Opcodes.IRETURN <= instruction.getOpcode() && instruction.getOpcode() <= Opcodes.RETURN) {
                InsnList call = new InsnList();
                call.add(new VarInsnNode(Opcodes.ILOAD, context));
                call.add(new MethodInsnNode(Opcodes.INVOKESTATIC, COUNTS, "leave", "(I)V", false));
                method.instructions.insertBefore(instruction, call);
            }
        }
        InsnList entry = new InsnList();
        entry.add(new LdcInsnNode(className.replace('/', '.') + "\t" + method.name + "\t" + method.desc));
        entry.add(new MethodInsnNode(Opcodes.INVOKESTATIC, COUNTS, "enter", "(Ljava/lang/String;)I", false));
        entry.add(new VarInsnNode(Opcodes.ISTORE, context));
        method.instructions.insert(entry);
    }
}
