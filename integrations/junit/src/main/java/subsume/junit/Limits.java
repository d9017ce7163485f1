package subsume.junit;

import java.util.ArrayList;
import java.util.List;

/** Compares what a test has cost with its annotations, for any test runner. */
final class Limits {
    private Limits() {
    }

    /**
     * Fails if the costs exceed a limit; annotations that a test does not have are {@code null}.
     *
     * @throws IllegalArgumentException if an annotation names no method
     */
    static void check(
            Costs costs, ExecutesAtMost executes, AllocatesAtMost allocates, List<CallsAtMost> calls) {
        List<String> exceeded = new ArrayList<>();
        if (executes != null) {
            compare(exceeded, "executes", costs.bytecodes(), "bytecodes", executes.bytecodes());
        }
        CostMessage.Unit unit = CostMessage.Unit.BYTECODES;
        if (allocates != null) {
            if (exceeded.isEmpty() && costs.objects() > allocates.objects()) {
                unit = CostMessage.Unit.OBJECTS;
            } else if (exceeded.isEmpty() && costs.bytes() > allocates.bytes()) {
                unit = CostMessage.Unit.BYTES;
            }
            compare(exceeded, "allocates", costs.objects(), "objects", allocates.objects());
            compare(exceeded, "allocates", costs.bytes(), "bytes", allocates.bytes());
            if (allocates.bytes() < Long.MAX_VALUE && costs.bytes() < 0) {
                Measurement.lacksBytes();
            }
        }
        String called = null;
        for (CallsAtMost limit : calls) {
            boolean isFirst = exceeded.isEmpty();
            compare(exceeded, "calls " + limit.method(), calls(costs, limit), "times", limit.times());
            if (isFirst && !exceeded.isEmpty()) {
                called = limit.method();
            }
        }
        if (!exceeded.isEmpty()) {
            throw new CostLimitError(called == null
                    ? CostMessage.text(exceeded, costs, unit)
                    : CostMessage.textOfCalls(exceeded, costs, called));
        }
    }

    private static void compare(List<String> exceeded, String verb, long cost, String unit, long limit) {
        if (cost > limit) {
            exceeded.add(verb + " " + CostMessage.number(cost) + " " + unit + ", and at most "
                    + CostMessage.number(limit) + " are allowed");
        }
    }

    private static long calls(Costs costs, CallsAtMost limit) {
        try {
            return costs.calls(limit.method());
        } catch (IllegalArgumentException wrong) {
            throw new IllegalArgumentException("@CallsAtMost: " + wrong.getMessage(), wrong);
        }
    }
}
