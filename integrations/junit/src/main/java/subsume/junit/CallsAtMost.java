package subsume.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Fails a test, or each test of a class, that calls some methods more often, itself or by what it
 * calls on its thread.
 *
 * <pre>{@code
 * @Test
 * @CallsAtMost(method = "java.sql.*.prepareStatement", times = 3)
 * void showsAllCustomers() { ... }
 * }</pre>
 *
 * <p>See {@link ExecutesAtMost} for what is left out.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
@Repeatable(CallsAtMost.All.class)
@ExtendWith(CostLimits.class)
public @interface CallsAtMost {
    /**
     * Class and name of the methods, with a dot in between; {@code *} stands for any characters. A
     * method that implements or overrides one of that name counts as well: that of a JDBC driver for
     * {@code java.sql.Connection.prepareStatement}.
     */
    String method();

    /** The most calls that are allowed, of all these methods together. */
    long times();

    /** Several limits. */
    @Documented
    @Inherited
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.METHOD, ElementType.TYPE})
    @ExtendWith(CostLimits.class)
    @interface All {
        /** The limits. */
        CallsAtMost[] value();
    }
}
