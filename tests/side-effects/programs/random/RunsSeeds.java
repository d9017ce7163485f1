import java.lang.reflect.InvocationTargetException;

/**
 * Runs random programs: the classes Seed0, Seed1 and so on of a range of seeds, each with this
 * percentage of its rounds.
 */
public final class RunsSeeds {
    private RunsSeeds() {
    }

    public static void main(String[] args) throws Exception {
        int percent = Integer.parseInt(args[2]);
        for (int seed = Integer.parseInt(args[0]); seed < Integer.parseInt(args[1]); seed++) {
            try {
                Class.forName("Seed" + seed).getMethod("run", int.class).invoke(null, percent);
            } catch (InvocationTargetException e) {
                System.out.println(seed + " ends with " + e.getCause());
            }
        }
        System.out.println("all seeds have run");
    }

    /** Something that a program does again and again. */
    public interface Action {
        long act(int i) throws Throwable;
    }

    /** Does it, and prints the checksum of what comes of it, with some values on the way. */
    public static void repeat(int seed, String name, int rounds, int percent, Action action) {
        long sum = 0;
        int thrown = 0;
        StringBuilder line = new StringBuilder().append(seed).append(' ').append(name);
        int most = Math.max(4, rounds * percent / 100);
        for (int i = 0; i < most; i++) {
            try {
                sum = Sum.add(sum, action.act(i));
            } catch (Throwable e) {
                thrown++;
                sum = Sum.add(sum, e);
                if (thrown == 1) {
                    line.append(' ').append(e.getClass().getName());
                }
            }
            if ((i & i - 1) == 0) {
                line.append(' ').append(Long.toHexString(sum & 0xffff));
            }
        }
        System.out.println(line.append(": ").append(Long.toHexString(sum)).append(", ").append(thrown).append(" thrown"));
    }
}
