/** Deep recursion until the stack is full, caught far out, several times. */
public class Overflows {
    static int depth;
    static int caught;

    static int down(int n) {
        depth = n;
        int below = down(n + 1);
        return below + 1;
    }

    static int mutual(int n) {
        depth = n;
        return other(n + 1) - 1;
    }

    static int other(int n) {
        try {
            return mutual(n) + 1;
        } finally {
            caught++;
        }
    }

    public static void main(String[] args) {
        for (int i = 0; i < 3; i++) {
            try {
                down(0);
            } catch (StackOverflowError e) {
                System.out.println("down " + (depth > 500));
            }
        }
        try {
            mutual(0);
        } catch (StackOverflowError e) {
            System.out.println("mutual " + (depth > 500) + (caught > 200));
        }
    }
}
