package secondwitness;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Inserts calls of {@link Results} into a class: at the entry of its methods and before they return. */
final class ResultsRewriter {
    private static final String RESULTS = "secondwitness/Results";
    private static final String CALL = "secondwitness/Call";
    private static final String OBJECT = "java/lang/Object";

    /** Words that the calls need on the stack at most: receiver, array twice, index, and a long. */
    private static final int WORDS = 6;

    private final byte[] original;

    /** Methods that have no room for the calls, by name and descriptor. */
    private final Set<String> tooLarge = new HashSet<>();

    ResultsRewriter(byte[] original) {
        this.original = original;
    }

    byte[] rewrite() {
        ClassNode node = new ClassNode();
        new ClassReader(original).accept(node, ClassReader.EXPAND_FRAMES);
        Results.begin(node.name.replace('/', '.'));
        for (MethodNode method : node.methods) {
            if (isToldOf(method) && !tooLarge.contains(method.name + method.desc)) {
                tell(node.name, method);
            }
        }
        ClassWriter writer = new ClassWriter(0);
        node.accept(writer);
        try {
            return writer.toByteArray();
        } catch (MethodTooLargeException e) {
            Results.leaveOut(line(node.name, e.getMethodName(), e.getDescriptor()));
            tooLarge.add(e.getMethodName() + e.getDescriptor());
            return rewrite();
        }
    }

    private static String line(String className, String method, String descriptor) {
        return className.replace('/', '.') + "\t" + method + "\t" + descriptor;
    }

    /** What docs/explanation/results.md says of which methods are followed. */
    private static boolean isToldOf(MethodNode method) {
        boolean isInitialiser = method.name.startsWith("<");
        boolean loadsClasses =
                method.name.equals("loadClass") && method.desc.equals("(Ljava/lang/String;)Ljava/lang/Class;");
        return !isInitialiser && !loadsClasses && (calls(method) || loops(method) && mayThrow(method));
    }

    private static boolean mayThrow(MethodNode method) {
        for (AbstractInsnNode instruction : method.instructions) {
            int opcode = instruction.getOpcode();
            boolean jumps = opcode >= Opcodes.IFEQ && opcode <= Opcodes.RETURN
                    || opcode == Opcodes.IFNULL
                    || opcode == Opcodes.IFNONNULL;
            if (opcode >= 0 && !jumps && Transfers.control(instruction)) {
                return true;
            }
        }
        return false;
    }

    private static boolean calls(MethodNode method) {
        for (AbstractInsnNode instruction : method.instructions) {
            if (instruction instanceof MethodInsnNode || instruction instanceof InvokeDynamicInsnNode) {
                return true;
            }
        }
        return false;
    }

    private static boolean loops(MethodNode method) {
        Set<LabelNode> passed = new HashSet<>();
        for (AbstractInsnNode instruction : method.instructions) {
            if (instruction instanceof LabelNode label) {
                passed.add(label);
            }
            if (targets(instruction).stream().anyMatch(passed::contains)) {
                return true;
            }
        }
        return false;
    }

    private static List<LabelNode> targets(AbstractInsnNode instruction) {
        List<LabelNode> targets = new ArrayList<>();
        if (instruction instanceof JumpInsnNode jump) {
            targets.add(jump.label);
        } else if (instruction instanceof TableSwitchInsnNode table) {
            targets.add(table.dflt);
            targets.addAll(table.labels);
        } else if (instruction instanceof LookupSwitchInsnNode lookup) {
            targets.add(lookup.dflt);
            targets.addAll(lookup.labels);
        }
        return targets;
    }

    private static void tell(String className, MethodNode method) {
        boolean isStatic = (method.access & Opcodes.ACC_STATIC) != 0;
        int number = Results.number(line(className, method.name, method.desc), isStatic);
        int call = method.maxLocals;
        String result = Type.getReturnType(method.desc).getDescriptor();
        for (AbstractInsnNode instruction : method.instructions.toArray()) {
            int opcode = instruction.getOpcode();
            if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
                method.instructions.insertBefore(instruction, returned(opcode, erased(result), call));
            }
            if (instruction instanceof FrameNode frame) {
                keep(frame, call);
            }
        }
        // Behind no label, so that jumps to the first instruction pass it by.
        method.instructions.insert(entered(method, isStatic, number, call));
        method.maxLocals++;
        method.maxStack += WORDS;
    }

    private static InsnList entered(MethodNode method, boolean isStatic, int number, int call) {
        InsnList code = new InsnList();
        int slot = 0;
        if (isStatic) {
            code.add(new InsnNode(Opcodes.ACONST_NULL));
        } else {
            code.add(new VarInsnNode(Opcodes.ALOAD, slot++));
            code.add(call("value", "(Ljava/lang/Object;)Ljava/lang/Object;"));
        }
        Type[] parameters = Type.getArgumentTypes(method.desc);
        code.add(new LdcInsnNode(parameters.length));
        code.add(new TypeInsnNode(Opcodes.ANEWARRAY, OBJECT));
        for (int i = 0; i < parameters.length; i++) {
            code.add(new InsnNode(Opcodes.DUP));
            code.add(new LdcInsnNode(i));
            code.add(new VarInsnNode(parameters[i].getOpcode(Opcodes.ILOAD), slot));
            String erased = erased(parameters[i].getDescriptor());
            code.add(call("value", "(" + erased + ")Ljava/lang/Object;"));
            code.add(new InsnNode(Opcodes.AASTORE));
            slot += parameters[i].getSize();
        }
        code.add(new LdcInsnNode(number));
        code.add(call("entered", "(Ljava/lang/Object;[Ljava/lang/Object;I)L" + CALL + ";"));
        code.add(new VarInsnNode(Opcodes.ASTORE, call));
        return code;
    }

    private static InsnList returned(int opcode, String result, int call) {
        InsnList code = new InsnList();
        if (opcode != Opcodes.RETURN) {
            boolean isWide = opcode == Opcodes.LRETURN || opcode == Opcodes.DRETURN;
            code.add(new InsnNode(isWide ? Opcodes.DUP2 : Opcodes.DUP));
        }
        code.add(new VarInsnNode(Opcodes.ALOAD, call));
        code.add(call("returned", "(" + result + "L" + CALL + ";)V"));
        return code;
    }

    /** The parameter of {@link Results} that takes values of a type; nothing takes void. */
    private static String erased(String type) {
        return switch (type.charAt(0)) {
            case 'V' -> "";
            case 'J', 'F', 'D' -> type;
            case 'L', '[' -> "Ljava/lang/Object;";
            default -> "I";
        };
    }

    private static MethodInsnNode call(String name, String descriptor) {
        return new MethodInsnNode(Opcodes.INVOKESTATIC, RESULTS, name, descriptor, false);
    }

    /** The call's local exists wherever the method goes. */
    private static void keep(FrameNode frame, int call) {
        List<Object> locals = new ArrayList<>(frame.local);
        int words = 0;
        for (Object local : locals) {
            words += local == Opcodes.LONG || local == Opcodes.DOUBLE ? 2 : 1;
        }
        for (; words < call; words++) {
            locals.add(Opcodes.TOP);
        }
        locals.add(CALL);
        frame.local = locals;
    }
}
