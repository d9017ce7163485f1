package generated;

import java.io.IOException;
import java.nio.file.Path;
import java.util.function.IntSupplier;

/**
 * Runs generated programs and prints what each of them computed, or what it threw.
 *
 * <p>{@code Runner FIRST COUNT [COUNTS]}: the first seed, how many, and the file for the counts of
 * rewritten classes.
 */
public final class Runner {
    private Runner() {}

    public static void main(String[] args) throws IOException {
        long first = Long.parseLong(args[0]);
        long count = Long.parseLong(args[1]);
        for (long seed = first; seed < first + count; seed++) {
            System.out.println(seed + " " + run(seed));
        }
        if (args.length > 2) {
            ContextCounts.write(Path.of(args[2]));
        }
    }

    private static String run(long seed) {
        try {
            ContextCounts.restart();
            Class<?> main = Class.forName("generated.s" + seed + ".Main");
            IntSupplier program = (IntSupplier) main.getDeclaredConstructor().newInstance();
            ContextCounts.restart();
            return Integer.toString(program.getAsInt());
        } catch (VerifyError | ClassFormatError | ReflectiveOperationException e) {
            throw new AssertionError("the generator made a wrong program " + seed, e);
        } catch (Throwable thrown) {
            return thrown.toString();
        }
    }
}
