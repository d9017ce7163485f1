package subsume.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Accepts that loops of a test, or of all tests of a class, read the same data again and again.
 *
 * <pre>{@code
 * @Test
 * @AllowRepeatedReads("a shop never has more than 40 tills")
 * void everyTillAsksEveryOther() { ... }
 * }</pre>
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface AllowRepeatedReads {
    /** Why that is intended, for readers of the test; not empty. */
    String value();
}
