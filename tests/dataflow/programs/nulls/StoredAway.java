import java.util.ArrayList;
import java.util.List;

/** Nulls that wait in the heap: in a field, a static field, an array, a list that grows, a clone. */
class StoredAway implements Cloneable {
    static Object kept;
    Object held = "something";

    static Object none() {
        return null;
    }

    static void meet(Object object) {
        try {
            System.out.println(object.hashCode());
        } catch (NullPointerException e) {
            System.out.println("met");
        }
    }

    void set(Object object) {
        held = object;
    }

    public static void main(String[] args) throws CloneNotSupportedException {
        StoredAway away = new StoredAway();
        away.set(none());
        meet(away.held);
        kept = none();
        meet(kept);
        Object[] objects = {"a", "b", "c"};
        objects[1] = none();
        meet(objects[1]);
        meet(objects.clone()[1]);
        StoredAway clone = (StoredAway) away.clone();
        meet(clone.held);
        List<Object> list = new ArrayList<>();
        list.add(none());
        for (int i = 0; i < 100; i++) {
            list.add("more");
        }
        meet(list.get(0));
        Later.kept = none();
        meet(kept);
    }

    /** By its name, too, code may reach what it inherits. */
    static class Later extends StoredAway {}
}
