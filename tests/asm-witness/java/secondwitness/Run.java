package secondwitness;

import java.util.ArrayList;
import java.util.List;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Instructions that are executed all or not at all.
 *
 * <p>A run ends where control may come from elsewhere (at any label), and behind every instruction that
 * may go elsewhere, which includes all that may throw. So a run that is entered is executed to its last
 * instruction, and counting it at its start is exact. An instruction that throws counts as executed.
 */
public record Run(AbstractInsnNode first, int length) {
    /** The runs of a method. */
    public static List<Run> allOf(MethodNode method) {
        List<Run> runs = new ArrayList<>();
        AbstractInsnNode first = null;
        int length = 0;
        for (AbstractInsnNode instruction : method.instructions) {
            boolean counts = instruction.getOpcode() >= 0;
            if (counts) {
                first = first == null ? instruction : first;
                length++;
            }
            if (length > 0 && (instruction instanceof LabelNode || counts && Transfers.control(instruction))) {
                runs.add(new Run(first, length));
                first = null;
                length = 0;
            }
        }
        if (length > 0) {
            runs.add(new Run(first, length));
        }
        return runs;
    }
}
