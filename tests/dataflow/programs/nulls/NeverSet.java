/** A field, an element and a static field that nobody has set. */
class NeverSet {
    static String name;
    String held;

    static int length(String text) {
        try {
            return text.length();
        } catch (NullPointerException e) {
            return -1;
        }
    }

    public static void main(String[] args) {
        String[] names = new String[3];
        System.out.println(length(new NeverSet().held));
        System.out.println(length(names[1]));
        System.out.println(length(name));
    }
}
