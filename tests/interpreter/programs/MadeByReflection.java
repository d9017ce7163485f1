import java.lang.reflect.Constructor;

/** Objects whose allocation nobody sees, because reflection and natives make them. */
class MadeByReflection {
    static int made;

    static class Counted {
        int number;
        Object first;
        Counted(int start) {
            number = start;
            made += 1;
            first = this;
        }
    }

    static class Named extends Counted {
        String name;
        Named(int start) {
            super(start + made);
            name = "n" + number;
        }
    }

    static Object make(Constructor<?> constructor, int start) {
        try {
            return constructor.newInstance(start);
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    public static void main(String[] args) {
        Constructor<?> counted = Reflected.constructor(Counted.class);
        Constructor<?> named = Reflected.constructor(Named.class);
        int sum = new Counted(1).number + new Named(2).number;
        for (int i = 0; i < 5; i++) {
            Counted one = (Counted) make(counted, i);
            Counted other = (Counted) make(named, i);
            sum += one.number + other.number + (one.first == one ? 1 : 0);
        }
        Back back = Back.make(null, args);
        System.out.println(sum + made + (back.other == args ? 1 : 0));
    }
}
