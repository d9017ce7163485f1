/** Section 3.6, eclipse: an object made only to carry values into one call. */
class CarryingTemporaries {
    static class MethodInfo { int start, end; String name; Object owner; }
    static class Requestor {
        int methods; String last; int length;
        void enterMethod(MethodInfo info) { methods++; last = info.name; length = info.end - info.start; }
    }

    public static void main(String[] args) {
        Requestor r = new Requestor();
        String name = "m";
        for (int i = 0; i < 500; i++) {
            MethodInfo info = new MethodInfo();
            info.start = i; info.end = i + 5; info.name = name; info.owner = r;
            r.enterMethod(info);
        }
        System.out.println(r.methods + r.last + r.length);
    }
}
