package secondwitness;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the calls of a method had as inputs and results: docs/explanation/results.md, taken literally.
 *
 * <p>Values are comparable by {@link Object#equals}, see {@link Results}.
 */
final class MethodResults {
    private static final int FLUENT = 1;
    private static final int NULL = 2;
    private static final int ONE_VALUE = 4;
    private static final int PER_RECEIVER = 8;
    private static final int NAN = 16;
    private static final int VOID = 32;

    final Method method;

    /** Calls, however they ended. */
    private long entered;

    private long returned;
    private long hits;
    private long hitsOfTheCallBefore;
    private long conflicts;
    private final Set<Object> receivers = new HashSet<>();
    private final Map<List<Object>, Object> lastResults = new HashMap<>();
    private final Map<Object, Object> resultOfReceiver = new HashMap<>();
    private List<Object> inputOfTheCallBefore;
    private Object firstResult;

    /** What holds for all results until now: a set of the bits above. */
    private int kinds;

    MethodResults(Method method) {
        this.method = method;
        if (method.returnsNothing()) {
            kinds = VOID;
        } else {
            kinds = ONE_VALUE;
            kinds |= method.returnsReference() ? NULL : 0;
            kinds |= method.returnsReference() && !method.isStatic() ? FLUENT : 0;
            kinds |= method.isStatic() ? 0 : PER_RECEIVER;
            kinds |= method.returnsFraction() ? NAN : 0;
        }
    }

    void enter(Call call) {
        entered++;
        if (Rule.EXCEPTIONS.isBroken && call.receiver() != null) {
            receivers.add(call.receiver());
        }
    }

    void leave(Outcome outcome) {
        Call call = outcome.call();
        returned++;
        meet(call, outcome.result());
        if (!method.returnsNothing()) {
            judge(call, outcome.result(), outcome.isNan());
        }
        inputOfTheCallBefore = Rule.CALL_BEFORE.isBroken && inputOfTheCallBefore != null
                ? inputOfTheCallBefore
                : call.input();
    }

    private void meet(Call call, Object result) {
        boolean isKnown = lastResults.containsKey(call.input());
        if (isKnown && Results.areEqual(lastResults.get(call.input()), result)) {
            hits++;
            hitsOfTheCallBefore += call.input().equals(inputOfTheCallBefore) ? 1 : 0;
        } else if (isKnown) {
            conflicts++;
        }
        if (!isKnown || !Rule.LAST_RESULT.isBroken) {
            lastResults.put(call.input(), result);
        }
        if (call.receiver() != null) {
            receivers.add(call.receiver());
        }
    }

    private void judge(Call call, Object result, boolean isNan) {
        if (returned == 1) {
            firstResult = result;
        }
        boolean isFirst = !resultOfReceiver.containsKey(call.receiver());
        if (isFirst) {
            resultOfReceiver.put(call.receiver(), result);
        }
        keep(FLUENT, Results.areEqual(call.receiver(), result));
        keep(NULL, result == null || Rule.ALWAYS_NULL.isBroken);
        keep(ONE_VALUE, Results.areEqual(firstResult, result));
        keep(PER_RECEIVER, Results.areEqual(resultOfReceiver.get(call.receiver()), result));
        keep(NAN, isNan);
    }

    private void keep(int kind, boolean holds) {
        kinds &= holds ? -1 : ~kind;
    }

    private boolean always(int kind) {
        return (kinds & kind) != 0;
    }

    /** The first of the documented kinds that holds, by its name in JSON. */
    private String kind() {
        if (returned == 0) {
            return "exceptions";
        } else if (always(VOID)) {
            return "void";
        } else if (always(FLUENT)) {
            return "this";
        } else if (always(NULL)) {
            return "null";
        } else if (always(NAN)) {
            return "nan";
        } else if (always(ONE_VALUE) && returned >= 2) {
            return "one";
        } else if (always(PER_RECEIVER) && receivers.size() < returned) {
            return "receiver";
        } else if (conflicts > 0) {
            return "varies";
        }
        return hits > 0 ? "input" : "unrepeated";
    }

    /** Its line in the file, with tabs; no line if it was never called. */
    String line() {
        return entered == 0 ? "" : method.line() + "\t" + entered + "\t" + returned + "\t" + receivers.size() + "\t"
                + lastResults.size() + "\t" + hits + "\t" + hitsOfTheCallBefore + "\t" + conflicts + "\t" + kinds
                + "\t" + kind() + "\n";
    }
}
