package secondwitness;

import java.util.List;

/**
 * A call.
 *
 * @param method the number of what was called
 * @param receiver its receiver; null of static methods
 * @param input the receiver and the arguments as {@link Results} makes them comparable
 */
public record Call(int method, Object receiver, List<Object> input) {}
