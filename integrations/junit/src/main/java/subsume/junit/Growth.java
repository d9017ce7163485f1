package subsume.junit;

import java.lang.reflect.Array;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Sizes and costs of the invocations of a test; checked when it is closed, after the last one. */
final class Growth implements ExtensionContext.Store.CloseableResource {
    /** With fewer sizes an exponent says little. */
    private static final int LEAST_SIZES = 3;
    /** Sizes that a message names. */
    private static final int NAMED = 4;

    private final double limit;
    /** The most expensive invocation of each size. */
    private final TreeMap<Double, Costs> bySize = new TreeMap<>();

    Growth(double limit) {
        this.limit = limit;
    }

    /** Adds an invocation; several may end at once. */
    synchronized void add(List<Object> arguments, Costs costs) {
        double size = size(arguments);
        bySize.merge(size, costs, (one, other) -> cost(one) < cost(other) ? other : one);
    }

    private static double cost(Costs costs) {
        return (double) costs.bytecodes() + costs.moved();
    }

    /** The first argument that is a number or has a size. */
    private static double size(List<Object> arguments) {
        for (Object argument : arguments) {
            double size = argument instanceof Number ? ((Number) argument).doubleValue()
                    : argument instanceof Collection ? ((Collection<?>) argument).size()
                    : argument instanceof Map ? ((Map<?, ?>) argument).size()
                    : argument instanceof CharSequence ? ((CharSequence) argument).length()
                    : argument != null && argument.getClass().isArray() ? Array.getLength(argument)
                    : Double.NaN;
            if (size > 0) {
                return size;
            }
            if (!Double.isNaN(size)) {
                throw new ExtensionConfigurationException(
                        "@GrowsAtMost: the size " + argument + " is not above 0");
            }
        }
        throw new ExtensionConfigurationException(
                "@GrowsAtMost: no argument of the test is a number, an array, a collection, a map or a text");
    }

    @Override
    public synchronized void close() {
        if (bySize.size() < LEAST_SIZES) {
            throw new ExtensionConfigurationException(
                    "@GrowsAtMost needs invocations with at least " + LEAST_SIZES + " sizes, and "
                            + bySize.size() + " passed");
        }
        double exponent = exponent(bySize);
        if (exponent > limit) {
            throw new CostLimitError(message(exponent));
        }
    }

    /** The slope of the line that fits the logarithms best. */
    static double exponent(Map<Double, Costs> bySize) {
        double sizes = 0;
        double costs = 0;
        for (Map.Entry<Double, Costs> entry : bySize.entrySet()) {
            sizes += Math.log(entry.getKey()) / bySize.size();
            costs += Math.log(Math.max(1, cost(entry.getValue()))) / bySize.size();
        }
        double both = 0;
        double square = 0;
        for (Map.Entry<Double, Costs> entry : bySize.entrySet()) {
            double size = Math.log(entry.getKey()) - sizes;
            both += size * (Math.log(Math.max(1, cost(entry.getValue()))) - costs);
            square += size * size;
        }
        return both / square;
    }

    private String message(double exponent) {
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT, "cost grows with the size to the power of %.2f, and at most %.2f is allowed: ",
                exponent, limit));
        String separator = "";
        int left = bySize.size();
        for (Map.Entry<Double, Costs> entry : bySize.entrySet()) {
            // The last ones say most.
            if (left-- <= NAMED) {
                double size = entry.getKey();
                text.append(separator).append(size == Math.rint(size) ? CostMessage.number((long) size) : "" + size);
                text.append(" -> ").append(CostMessage.number((long) cost(entry.getValue())));
                separator = ", ";
            }
        }
        return CostMessage.text(
                Collections.singletonList(text.toString()), bySize.lastEntry().getValue(),
                CostMessage.Unit.BYTECODES);
    }
}
