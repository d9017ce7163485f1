/** A null that a handler makes, one that a merge chooses, and threads that die of theirs. */
class Handlers {
    static String parsed(String text) {
        String result;
        try {
            result = "" + Integer.parseInt(text);
        } catch (NumberFormatException e) {
            result = null;
        }
        return result;
    }

    static String chosen(boolean first, String one, String other) {
        String text = first ? one : other;
        return text.trim();
    }

    public static void main(String[] args) throws InterruptedException {
        try {
            System.out.println(parsed("12").length());
            System.out.println(parsed("x").length());
        } catch (NullPointerException e) {
            System.out.println("parsed nothing");
        }
        for (int i = 0; i < 3; i++) {
            int number = i;
            Thread thread =
                    new Thread(() -> System.out.println(chosen(number == 1, null, "other")));
            thread.setUncaughtExceptionHandler((t, e) -> System.out.println("died"));
            thread.start();
            thread.join();
        }
    }
}
