package subsume.junit;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * Fails a parameterised test whose cost grows faster with the size of its input.
 *
 * <pre>{@code
 * @ParameterizedTest
 * @ValueSource(ints = {100, 200, 400})
 * @GrowsAtMost(exponent = 1.2)
 * void sorts(int size) { ... }
 * }</pre>
 *
 * <p>The size is the first argument that is a number, or else the length or size of the first array,
 * collection, map or text. At least three sizes are needed. The cost is that of {@link
 * ExecutesAtMost}, and one for each element that {@code System.arraycopy} moves. The container of
 * the invocations fails, when the last one has ended.
 */
@Documented
@Inherited
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
@ExtendWith(CostLimits.class)
public @interface GrowsAtMost {
    /** The cost is at most a constant times the size to this power: 1 is linear, 2 quadratic. */
    double exponent();
}
