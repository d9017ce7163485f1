/** What the classes do that are redefined. */
public interface Worker {
    /** Computes something that depends on all calls before. */
    long work(long number);
}
