/** The shape of the paper's Figure 11: a value is computed at great cost, kept in a field, read once and put into a list that nobody reads. */
class Figure11 {
    static class A {
        int t;

        int foo() {
            return t;
        }

        A(int rounds) {
            int sum = 0;
            for (int i = 0; i < rounds; i++) {
                sum = sum + i * 2;
            }
            t = sum;
        }
    }

    static class IntList {
        int[] elements = new int[10];
        int size;

        void add(int value) {
            elements[size] = value;
            size = size + 1;
        }
    }

    public static void main(String[] args) {
        IntList list = new IntList();
        A a = new A(1000);
        int h = a.foo();
        list.add(h);
    }
}
