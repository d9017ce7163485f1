package apps;

/**
 * One real application, driven so that every iteration does the same work.
 *
 * <p>Implementations are found by {@link java.util.ServiceLoader}, need a
 * public constructor without arguments and must not depend on the clock, on
 * hash codes of identity, on the locale or on fonts of the machine.
 */
public interface App {
    /** The name on the command line, such as {@code fop}. */
    String name();

    /**
     * Builds inputs that every iteration shares. It is called once, before
     * the first iteration, and is not part of any iteration's time.
     */
    default void prepare(Size size) throws Exception {}

    /**
     * Does the whole work once.
     *
     * @return a digest of everything that was computed, see {@link Digest};
     *     the same for every iteration, JDK and machine
     */
    String iterate(Size size) throws Exception;
}
