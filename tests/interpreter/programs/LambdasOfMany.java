/** Lambda expressions that capture nothing, evaluated on behalf of several objects. */
class LambdasOfMany {
    interface Maker { Object make(); }

    static class Owner {
        Maker maker;
        Object made;

        Owner(int times) {
            for (int i = 0; i < times; i++) {
                maker = () -> new int[2];
                made = maker.make();
            }
        }
    }

    static Maker any() {
        return Object::new;
    }

    public static void main(String[] args) {
        Owner one = new Owner(2);
        Owner other = new Owner(1);
        one.made = any().make();
        other.made = any().make();
        System.out.println(one.maker == other.maker);
        System.out.println(one.made == other.made);
    }
}
