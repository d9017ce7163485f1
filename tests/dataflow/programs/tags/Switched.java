import java.util.function.Supplier;
import subsume.Profile;

/** Recording begins, ends and begins again while objects live on. */
public final class Switched {
    static final class Early {
    }

    static final class Late {
    }

    private Switched() {
    }

    public static void main(String[] args) {
        int number = args.length;
        Object early = new Early();
        int[] array = new int[3];
        Supplier<Object> lambda = () -> number;
        System.identityHashCode(lambda);
        Profile.start();
        Tags.in("Untracked", "Switched$Early", "", early);
        Tags.in("Untracked", "int[]", "", array);
        Object late = make();
        Tags.in("New", "Switched$Late", "Switched.make", late);
        Profile.stop();
        Object between = make();
        Object copy = array.clone();
        Profile.start();
        Tags.in("Untracked", "Switched$Late", "", between);
        Tags.in("Untracked", "int[]", "", copy);
        Tags.in("New", "Switched$Late", "Switched.make", late);
        Tags.in("New", "Switched$Late", "Switched.make", make());
    }

    private static Object make() {
        return new Late();
    }
}
