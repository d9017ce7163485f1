package jp2;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.FrameNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.VarInsnNode;

/** Gives the methods of a class their probes, as JP2's papers have them. */
final class Rewriter implements Opcodes {
    private static final String CONTEXT = "jp2/Context";
    private static final String NODE = "jp2/Node";

    private final ClassNode rewritten = new ClassNode();
    private final int firstMethod;
    private int methods;

    /** The class's methods are numbered from {@code firstMethod} on. */
    Rewriter(byte[] bytes, int firstMethod) {
        this.firstMethod = firstMethod;
        new ClassReader(bytes).accept(rewritten, ClassReader.EXPAND_FRAMES);
    }

    byte[] rewrite() {
        for (MethodNode method : rewritten.methods) {
            if (method.instructions.size() > 0) {
                rewrite(method, firstMethod + methods++);
            }
        }
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        rewritten.accept(writer);
        return writer.toByteArray();
    }

    /** How many methods got probes. */
    int methods() {
        return methods;
    }

    private void rewrite(MethodNode method, int number) {
        int context = method.maxLocals;
        int node = context + 1;
        InsnList code = method.instructions;
        AbstractInsnNode bodyStart = method.name.equals("<init>") ? constructorCall(code) : null;
        Set<AbstractInsnNode> leaders = leaders(method);
        int position = 0;
        for (AbstractInsnNode instruction : code.toArray()) {
            if (instruction instanceof FrameNode frame) {
                widen(frame, context);
                continue;
            }
            int opcode = instruction.getOpcode();
            if (opcode < 0) {
                continue;
            }
            if (leaders.contains(instruction)) {
                InsnList count = count(node, length(instruction, leaders));
                if (opcode == NEW) {
                    // Frames name such an instruction by a label that stands right before it.
                    code.insert(instruction, count);
                } else {
                    code.insertBefore(instruction, count);
                }
            }
            if (instruction.getType() == AbstractInsnNode.METHOD_INSN
                    || instruction.getType() == AbstractInsnNode.INVOKE_DYNAMIC_INSN) {
                code.insertBefore(instruction, site(context, position));
            } else if (opcode >= IRETURN && opcode <= RETURN) {
                code.insertBefore(instruction, leave(context, node));
            }
            position++;
        }
        LabelNode start = new LabelNode();
        if (bodyStart == null) {
            code.insert(start);
        } else {
            code.insert(bodyStart, start);
        }
        code.insert(enter(context, node, number));
        LabelNode end = new LabelNode();
        code.add(end);
        if (rewritten.version >= V1_6) {
            code.add(handlerFrame(context));
        }
        code.add(leave(context, node));
        code.add(new InsnNode(ATHROW));
        // Behind the method's own handlers: they come first.
        method.tryCatchBlocks.add(new TryCatchBlockNode(start, end, end, null));
    }

    /** The call of another constructor: before it a handler would see an object that is not initialised. */
    private static AbstractInsnNode constructorCall(InsnList code) {
        int unfinished = 0;
        for (AbstractInsnNode instruction : code) {
            if (instruction.getOpcode() == NEW) {
                unfinished++;
            } else if (instruction.getOpcode() == INVOKESPECIAL
                    && ((MethodInsnNode) instruction).name.equals("<init>")
                    && unfinished-- == 0) {
                return instruction;
            }
        }
        return null;
    }

    /** The first instructions of basic blocks. */
    private static Set<AbstractInsnNode> leaders(MethodNode method) {
        Set<AbstractInsnNode> leaders = new HashSet<>();
        boolean begins = true;
        Set<LabelNode> targets = targets(method);
        for (AbstractInsnNode instruction : method.instructions) {
            if (instruction instanceof LabelNode label && targets.contains(label)) {
                begins = true;
            }
            if (instruction.getOpcode() < 0) {
                continue;
            }
            if (begins) {
                leaders.add(instruction);
            }
            int type = instruction.getType();
            int opcode = instruction.getOpcode();
            begins = type == AbstractInsnNode.JUMP_INSN || type == AbstractInsnNode.TABLESWITCH_INSN
                    || type == AbstractInsnNode.LOOKUPSWITCH_INSN || opcode >= IRETURN && opcode <= RETURN
                    || opcode == ATHROW || opcode == RET;
        }
        return leaders;
    }

    private static Set<LabelNode> targets(MethodNode method) {
        Set<LabelNode> targets = new HashSet<>();
        for (AbstractInsnNode instruction : method.instructions) {
            if (instruction instanceof JumpInsnNode jump) {
                targets.add(jump.label);
            } else if (instruction instanceof TableSwitchInsnNode table) {
                targets.add(table.dflt);
                targets.addAll(table.labels);
            } else if (instruction instanceof LookupSwitchInsnNode lookup) {
                targets.add(lookup.dflt);
                targets.addAll(lookup.labels);
            }
        }
        for (TryCatchBlockNode handler : method.tryCatchBlocks) {
            targets.add(handler.handler);
        }
        return targets;
    }

    /** How many instructions a basic block has. */
    private static int length(AbstractInsnNode leader, Set<AbstractInsnNode> leaders) {
        int length = 1;
        for (AbstractInsnNode next = leader.getNext(); next != null && !leaders.contains(next); next = next.getNext()) {
            if (next.getOpcode() >= 0) {
                length++;
            }
        }
        return length;
    }

    private static InsnList enter(int context, int node, int number) {
        InsnList code = new InsnList();
        code.add(new MethodInsnNode(INVOKESTATIC, CONTEXT, "current", "()L" + CONTEXT + ";", false));
        code.add(new InsnNode(DUP));
        code.add(new VarInsnNode(ASTORE, context));
        code.add(new LdcInsnNode(number));
        code.add(new MethodInsnNode(INVOKEVIRTUAL, CONTEXT, "enter", "(I)L" + NODE + ";", false));
        code.add(new VarInsnNode(ASTORE, node));
        return code;
    }

    private static InsnList leave(int context, int node) {
        InsnList code = new InsnList();
        code.add(new VarInsnNode(ALOAD, context));
        code.add(new VarInsnNode(ALOAD, node));
        code.add(new FieldInsnNode(GETFIELD, NODE, "parent", "L" + NODE + ";"));
        code.add(new FieldInsnNode(PUTFIELD, CONTEXT, "node", "L" + NODE + ";"));
        return code;
    }

    private static InsnList count(int node, int bytecodes) {
        InsnList code = new InsnList();
        code.add(new VarInsnNode(ALOAD, node));
        code.add(new InsnNode(DUP));
        code.add(new FieldInsnNode(GETFIELD, NODE, "bytecodes", "J"));
        code.add(new LdcInsnNode((long) bytecodes));
        code.add(new InsnNode(LADD));
        code.add(new FieldInsnNode(PUTFIELD, NODE, "bytecodes", "J"));
        return code;
    }

    private static InsnList site(int context, int position) {
        InsnList code = new InsnList();
        code.add(new VarInsnNode(ALOAD, context));
        code.add(new LdcInsnNode(position));
        code.add(new FieldInsnNode(PUTFIELD, CONTEXT, "site", "I"));
        return code;
    }

    /** Adds the two locals of the probes, behind those of the method. */
    private static void widen(FrameNode frame, int context) {
        List<Object> locals = new ArrayList<>(frame.local);
        int size = 0;
        for (Object local : locals) {
            size += local == LONG || local == DOUBLE ? 2 : 1;
        }
        for (; size < context; size++) {
            locals.add(TOP);
        }
        locals.add(CONTEXT);
        locals.add(NODE);
        frame.local = locals;
    }

    /** Nothing is known there but the probes' locals and the exception. */
    private static FrameNode handlerFrame(int context) {
        Object[] locals = new Object[context + 2];
        Arrays.fill(locals, TOP);
        locals[context] = CONTEXT;
        locals[context + 1] = NODE;
        Object[] stack = {Type.getInternalName(Throwable.class)};
        return new FrameNode(F_NEW, locals.length, locals, stack.length, stack);
    }
}
