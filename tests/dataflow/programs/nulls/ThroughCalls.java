/** A constant that three calls pass on, in a place of its own each. */
class ThroughCalls {
    static int first(String text) {
        return second(1L, text);
    }

    static int second(long number, String text) {
        return new ThroughCalls().third(text, "x");
    }

    int third(String text, String other) {
        return text.length() + other.length();
    }

    public static void main(String[] args) {
        String text = null;
        try {
            System.out.println(first("abc"));
            System.out.println(first(text));
        } catch (NullPointerException e) {
            System.out.println("caught");
        }
    }
}
