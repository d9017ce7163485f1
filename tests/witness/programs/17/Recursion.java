/** Direct, mutual and indirect recursion, also where the recursive call is the first or the last instruction. */
public class Recursion {
    static int left = 40;

    static int fibonacci(int n) {
        return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
    }

    static int ackermann(int m, int n) {
        if (m == 0) {
            return n + 1;
        }
        return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
    }

    static boolean isEven(int n) {
        return n == 0 || isOdd(n - 1);
    }

    static boolean isOdd(int n) {
        return n != 0 && isEven(n - 1);
    }

    /** Calls itself with its last instruction before the return. */
    static void countDown(int n) {
        if (n > 0) {
            countDown(n - 1);
        }
    }

    static int go() {
        return left-- > 0 ? more() : 0;
    }

    /** Calls with its first instruction. */
    static int more() {
        return go() + 1;
    }

    static int hanoi(int n, char from, char to, char by) {
        if (n == 0) {
            return 0;
        }
        return hanoi(n - 1, from, by, to) + 1 + hanoi(n - 1, by, to, from);
    }

    static class Tree {
        Tree left;
        Tree right;

        Tree(int depth) {
            if (depth > 0) {
                left = new Tree(depth - 1);
                right = new Tree(depth - 2);
            }
        }

        int size() {
            return 1 + (left == null ? 0 : left.size()) + (right == null ? 0 : right.size());
        }

        @Override
        public String toString() {
            return left == null ? "." : "(" + left + right + ")";
        }
    }

    public static void main(String[] args) {
        System.out.println(fibonacci(12) + " " + ackermann(2, 3) + " " + isEven(31) + " " + hanoi(6, 'a', 'b', 'c'));
        countDown(50);
        System.out.println(go() + " " + new Tree(6).size() + " " + new Tree(4));
    }
}
