package java.lang;

/** What javac needs to know of the tags of objects. Never emitted. */
public final class SubsumeTags {
    private SubsumeTags() {
    }

    public static native int tag(Object object);
}
