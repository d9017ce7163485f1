package subsume.gradle;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The first finding of a diagnosis that saves more than is allowed, in words. */
final class Excess {
    private Excess() {}

    /** With the answer of {@code subsume diagnose --json}, and the limit in per cent. */
    static String of(Map<String, Object> answer, double limit) {
        String allowed = Double.toString(limit).replaceFirst("\\.0$", "") + " %";
        Map<?, ?> against = (Map<?, ?>) answer.get("against");
        for (Object element : (List<?>) answer.get("findings")) {
            Map<?, ?> finding = (Map<?, ?>) element;
            double share = 100 * ((Number) finding.get("share")).doubleValue();
            String fate = against == null ? "" : fate(finding, (List<?>) against.get("findings"));
            if (share > limit && fate != null) {
                Map<?, ?> evidence = (Map<?, ?>) ((List<?>) finding.get("evidence")).get(0);
                return String.format(
                        Locale.ROOT,
                        "%s%s wastes up to %.2f %% of the bytecodes, more than the %s allowed: %s",
                        fate,
                        name(finding),
                        share,
                        allowed,
                        evidence.get("sentence"));
            }
        }
        return "a finding saves more than the " + allowed + " of the bytecodes allowed";
    }

    /** Compared with an earlier diagnosis, only what is new or larger counts: {@code null} for others. */
    private static String fate(Map<?, ?> finding, List<?> changes) {
        for (Object element : changes) {
            Map<?, ?> change = (Map<?, ?>) element;
            Object fate = change.get("fate");
            boolean counts = "new".equals(fate) || "larger".equals(fate);
            if (counts && change.get("kind").equals(finding.get("kind")) && name(change).equals(name(finding))) {
                return fate + ": ";
            }
        }
        return null;
    }

    private static String name(Map<?, ?> of) {
        Map<?, ?> method = (Map<?, ?>) of.get("method");
        return method.get("class") + "." + method.get("name");
    }
}
