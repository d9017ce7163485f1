package subsume.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Fails a test, or each test of a class, whose method allocates more objects and arrays, or more
 * bytes, with all that it calls on its thread. What the JVM's compilers spare counts, too, so the count is the same
 * in each run. See {@link ExecutesAtMost} for what is left out.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
@ExtendWith(CostLimits.class)
public @interface AllocatesAtMost {
    /** The largest number of objects and arrays. */
    long objects() default Long.MAX_VALUE;

    /**
     * The largest number of bytes of these objects and arrays, as the JVM lays them out. Objects
     * of native methods and of the JVM itself do not count.
     */
    long bytes() default Long.MAX_VALUE;
}
