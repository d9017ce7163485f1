package secondwitness;

/**
 * A call that has returned.
 *
 * @param result what, as {@link Results} makes it comparable; null also of methods that return nothing
 */
record Outcome(Call call, Object result, boolean isNan) {}
