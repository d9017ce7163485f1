/** What takes an object and gives one. */
public interface Sink {
    Object pass(Object o);
}
