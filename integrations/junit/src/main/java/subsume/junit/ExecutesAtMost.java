package subsume.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Fails a test, or each test of a class, whose method executes more bytecodes, with all that it
 * calls on its thread.
 *
 * <pre>{@code
 * @Test
 * @ExecutesAtMost(bytecodes = 2_000_000)
 * void parsesALargeFile() { ... }
 * }</pre>
 *
 * <p>The count is exact. Class loading, static initialisers and the linking of lambdas and
 * concatenations are left out. Nothing is checked without the agent
 * ({@code -agentpath:libsubsume.so}): one line on standard error says so.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
@ExtendWith(CostLimits.class)
public @interface ExecutesAtMost {
    /** The largest number of bytecodes. */
    long bytecodes();
}
