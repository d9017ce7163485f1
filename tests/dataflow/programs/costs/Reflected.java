import java.io.ObjectStreamClass;
import java.io.Serializable;
import java.lang.reflect.Field;
import java.util.Arrays;

/** Looks at fields by reflection. */
class Reflected implements Serializable {
    private int first = 1;
    public String second = "two";
    static long third;

    public static void main(String[] args) {
        // What the JDK computes a serial version from.
        System.out.println(ObjectStreamClass.lookup(Reflected.class).getSerialVersionUID());
        for (Class<?> type : new Class<?>[] {Reflected.class, String.class, Thread.class}) {
            for (Field[] fields : new Field[][] {type.getDeclaredFields(), type.getFields()}) {
                long added = Arrays.stream(fields).filter(f -> f.getName().contains("subsume")).count();
                System.out.println(type.getSimpleName() + " " + added);
            }
        }
        String names = "";
        for (Field field : Reflected.class.getDeclaredFields()) {
            names += " " + field.getName();
        }
        System.out.println(names.trim());
    }
}
