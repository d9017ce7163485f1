/** Static initialisers that run in the middle of methods and depend on each other. */
class Initialisers {
    static class First { static int[] table = Second.make(3); static Object o = new Object(); }
    static class Second { static int calls = 1; static int[] make(int n) { calls++; return new int[n]; } static int[] other = First.table; }
    static class Late { static final Object MADE = new Late(Second.calls); final int n; static Object copy = MADE; Late(int n) { this.n = n; } }

    Object kept;

    public static void main(String[] args) {
        Initialisers i = new Initialisers();
        if (args.length < 50) { i.kept = First.table; }
        i.kept = Late.copy;
        Second.other = First.table;
        First.table[0] = ((Late) Late.MADE).n;
        System.out.println(Second.other[0] + Second.calls);
    }
}
