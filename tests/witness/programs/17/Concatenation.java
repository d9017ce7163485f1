/** Strings put together by the compiler and by hand, and what strings can do. */
public class Concatenation {
    static String many(boolean z, byte b, char c, short s, int i, long l, float f, double d, Object o) {
        return "z" + z + b + c + s + i + l + f + d + o + null + '!';
    }

    static String repeated(int n) {
        String text = "";
        for (int i = 0; i < n; i++) {
            text += i;
            text += i % 3 == 0 ? "fizz" : 'x';
        }
        return text;
    }

    static final class Loud {
        @Override
        public String toString() {
            return "loud" + System.lineSeparator().length();
        }
    }

    static class Fails {
        @Override
        public String toString() {
            throw new IllegalStateException("no text");
        }
    }

    public static void main(String[] args) {
        System.out.println(many(true, (byte) 1, 'c', (short) 2, 3, 4L, 5.5f, 6.25, new Loud()));
        System.out.println(repeated(12));
        try {
            System.out.println("x" + new Fails());
        } catch (IllegalStateException e) {
            System.out.println("caught " + e.getMessage());
        }
        StringBuilder builder = new StringBuilder();
        for (String part : "one,two,,three".split(",")) {
            builder.append(part).append(part.isEmpty()).insert(0, part.length());
        }
        System.out.println(builder.reverse());
        System.out.println("ünïcödé €" + "abc".repeat(3) + String.join("-", "a", "b") + "x y".replace(' ', '_'));
        System.out.println(String.format("%5d|%-5s|%05.2f|%x", 42, "ab", 3.14159, 255));
        System.out.println(" trim ".strip() + "hello".indexOf("ll") + "hello".substring(1, 3) + "Hello".equalsIgnoreCase("hELLO")
                + "b".compareTo("a") + "x".hashCode() + "interned".intern());
        String text = """
                block
                  of text""";
        System.out.println(text.lines().count() + text.formatted());
    }
}
