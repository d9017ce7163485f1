package shop;

import java.util.ArrayList;
import java.util.List;

/** What a shop sells. */
public class Catalogue {
    private final List<String> names = new ArrayList<>();

    /** Adds a product, unless there is one of this name. */
    public boolean add(String line) {
        String name = line.split(";")[0].strip();
        if (names.contains(name)) {
            return false;
        }
        return names.add(name);
    }

    public int size() {
        return names.size();
    }
}
