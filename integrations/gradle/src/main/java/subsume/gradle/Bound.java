package subsume.gradle;

import java.io.Serializable;

/** A limit: the most of a cost that methods may have. */
public final class Bound implements Serializable {
    private static final long serialVersionUID = 1;

    private final String method;
    private final String metric;
    private final long max;

    /** A limit on methods with all that they call, or on all that is checked ({@code null}). */
    public Bound(String method, String metric, long max) {
        this.method = method;
        this.metric = metric;
        this.max = max;
    }

    String method() {
        return method;
    }

    String metric() {
        return metric;
    }

    long max() {
        return max;
    }

    /** What is limited, in words. */
    String subject() {
        return method != null ? method + ", with all that it calls," : "all that is checked";
    }
}
