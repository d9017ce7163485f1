/** Native code answers null; code throws the exception itself, which is none of the JVM's. */
class FromNative {
    static void check(Object object) {
        if (object == null) {
            throw new NullPointerException("checked");
        }
    }

    public static void main(String[] args) {
        try {
            check(null);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            System.out.println(Object.class.getSuperclass().getName());
        } catch (NullPointerException e) {
            System.out.println("no superclass");
        }
        try {
            System.arraycopy(null, 0, args, 0, 0);
        } catch (NullPointerException e) {
            System.out.println("no array");
        }
    }
}
