import java.io.File;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmc.common.IMCFrame;
import org.openjdk.jmc.common.IMCMethod;
import org.openjdk.jmc.common.IMCStackTrace;
import org.openjdk.jmc.common.IMCThread;
import org.openjdk.jmc.common.item.Attribute;
import org.openjdk.jmc.common.item.IItem;
import org.openjdk.jmc.common.item.IItemIterable;
import org.openjdk.jmc.common.item.IMemberAccessor;
import org.openjdk.jmc.common.item.IType;
import org.openjdk.jmc.common.unit.IQuantity;
import org.openjdk.jmc.common.unit.UnitLookup;
import org.openjdk.jmc.flightrecorder.JfrAttributes;
import org.openjdk.jmc.flightrecorder.JfrLoaderToolkit;

/**
 * What JDK Mission Control reads of a recording: for each kind of event, thread and innermost
 * method, how many events there are, how many frames their stacks have, and what they weigh.
 */
public class Totals {
    public static void main(String[] arguments) throws Exception {
        Map<String, long[]> totals = new TreeMap<>();
        for (IItemIterable events : JfrLoaderToolkit.loadEvents(new File(arguments[0]))) {
            IType<IItem> type = events.getType();
            IMemberAccessor<IMCStackTrace, IItem> stack = JfrAttributes.EVENT_STACKTRACE.getAccessor(type);
            if (stack == null) {
                continue;
            }
            IMemberAccessor<IMCThread, IItem> thread = JfrAttributes.EVENT_THREAD.getAccessor(type);
            IMemberAccessor<IQuantity, IItem> weight =
                    Attribute.attr("weight", UnitLookup.MEMORY).getAccessor(type);
            IMemberAccessor<IQuantity, IItem> start = JfrAttributes.START_TIME.getAccessor(type);
            for (IItem event : events) {
                start.getMember(event).longValue();
                IMCStackTrace frames = stack.getMember(event);
                IMCFrame innermost = frames.getFrames().get(0);
                IMCMethod method = innermost.getMethod();
                String name = method.getType().getFullName() + "." + method.getMethodName()
                        + method.getFormalDescriptor();
                String key = type.getIdentifier() + "\t" + thread.getMember(event).getThreadName() + "\t" + name;
                long[] sums = totals.computeIfAbsent(key, unused -> new long[3]);
                sums[0]++;
                sums[1] += frames.getFrames().size();
                sums[2] += weight == null ? 0 : weight.getMember(event).longValue();
            }
        }
        totals.forEach((key, sums) ->
                System.out.println(key + "\t" + sums[0] + "\t" + sums[1] + "\t" + sums[2]));
    }
}
