package secondwitness;

/** An object, compared by identity. It is kept, so that no other one can take its place. */
final class Same {
    private final Object object;

    Same(Object object) {
        this.object = object;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Same same && same.object == object;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(object);
    }
}
