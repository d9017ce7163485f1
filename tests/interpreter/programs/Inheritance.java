/** Fields of the same name in classes that extend each other, and inherited ones. */
class Inheritance {
    static class Base {
        int value = 1;
        Object name = "base";

        int get() { return value; }

        void take(Base other) { value = other.value; }
    }

    static class Middle extends Base {
        int value = 2;

        int get() { return value; }

        void take(Base other) { super.take(other); value = super.value; }
    }

    static class Leaf extends Middle {
        long value = 3;

        void take(Base other) {
            super.take(other);
            ((Middle) this).value = ((Base) this).value;
            value = other.get();
            name = other.name;
        }
    }

    public static void main(String[] args) {
        Base[] all = {new Base(), new Middle(), new Leaf()};
        for (Base to : all) for (Base from : all) to.take(from);
        System.out.println(all[0].get() + all[1].get() + all[2].get());
    }
}
