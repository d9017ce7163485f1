package apps;

import java.util.Locale;

/** How much work one iteration does. */
public enum Size {
    /** Well under a second once compiled; for tests. */
    SMALL,
    /** Half a second to three seconds once compiled; for measurements. */
    NORMAL;

    /** Chooses between the two amounts of work of an application. */
    public int of(int small, int normal) {
        return this == SMALL ? small : normal;
    }

    static Size parse(String text) {
        return valueOf(text.toUpperCase(Locale.ROOT));
    }
}
