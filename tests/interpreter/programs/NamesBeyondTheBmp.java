import java.lang.reflect.Method;
import java.util.function.Supplier;

/** Classes, members and threads whose names have letters of two UTF-16 units. */
class NamesBeyondTheBmp {
    static class List𠀀 {
        final int[] numbers𝒜 = new int[3];
        static List𠀀 last𐐀;
        Object kept𠀀;

        List𠀀 fill𝒜(int from𐐀) {
            for (int i = 0; i < numbers𝒜.length; i++) {
                numbers𝒜[i] = from𐐀 + i;
            }
            last𐐀 = this;
            return this;
        }

        Supplier<Object> sum𠀀(Object with) {
            kept𠀀 = with;
            return () -> numbers𝒜[0] + numbers𝒜[2] + (kept𠀀 == null ? 1 : 2);
        }
    }

    static Object kept𝒜;

    public static void main(String[] args) throws Exception {
        List𠀀 one = new List𠀀().fill𝒜(4);
        List𠀀[] all = {one, new List𠀀().fill𝒜(one.numbers𝒜[1])};
        Thread thread = new Thread(() -> kept𝒜 = all[1].sum𠀀(all[0]).get(), "thread 𠀀");
        thread.start();
        thread.join();
        Supplier<List𠀀> made = List𠀀::new;
        List𠀀.last𐐀 = made.get();
        Method fill = Reflected.method(List𠀀.class, "fill𝒜");
        one.kept𠀀 = fill.invoke(List𠀀.last𐐀, 7);
        System.out.println(kept𝒜 + " " + List𠀀.last𐐀.numbers𝒜[2] + " " + (one.kept𠀀 == List𠀀.last𐐀)
                + one.getClass().getName().length());
    }
}
