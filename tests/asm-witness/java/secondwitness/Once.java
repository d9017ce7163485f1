package secondwitness;

import apps.App;
import apps.Size;
import java.util.ServiceLoader;

/**
 * Runs one application once: {@code Once APP small|normal}. Prints the digest of what it computed.
 *
 * <p>Unlike {@code apps.Bench} it looks at no clock and returns from main, so that no method is left
 * in the middle.
 */
public final class Once {
    private Once() {}

    public static void main(String[] args) throws Exception {
        Size size = Size.valueOf(args[1].toUpperCase(java.util.Locale.ROOT));
        for (App app : ServiceLoader.load(App.class)) {
            if (app.name().equals(args[0])) {
                app.prepare(size);
                System.out.println(app.iterate(size));
            }
        }
    }
}
