/** {@code clone()} without {@code super}, of objects of the class and of another below it. */
class PlainClones {
    static class Base implements Cloneable {
        int number = 3;
        Object held = "x";

        Base copy() throws CloneNotSupportedException {
            return (Base) clone();
        }
    }

    static class Below extends Base {
        long more = 7;
    }

    static Object kept;

    public static void main(String[] args) throws CloneNotSupportedException {
        Base first = new Base();
        kept = first.copy();
        Base second = new Below().copy();
        second.held = first.copy().held;
        System.out.println(second.number + ((Below) second).more + first.copy().number);
    }
}
