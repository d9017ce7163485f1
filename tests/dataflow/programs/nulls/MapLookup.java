import java.util.HashMap;
import java.util.Map;

/** The map has no such key. */
class MapLookup {
    static String find(Map<String, String> names, String key) {
        return names.get(key);
    }

    public static void main(String[] args) {
        Map<String, String> names = new HashMap<>();
        names.put("a", "Anna");
        System.out.println(find(names, "a").length());
        System.out.println(find(names, "b").length());
    }
}
