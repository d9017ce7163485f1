/** A list, a hash table with chains and iterators, written here. */
class OwnCollections {
    static class Entry { final Object key; Object value; Entry next; final int hash; Entry(int h, Object k, Object v, Entry n) { hash = h; key = k; value = v; next = n; } }

    static class Table {
        Entry[] entries = new Entry[4]; int size;
        Object get(Object key) { for (Entry e = entries[key.hashCode() & entries.length - 1]; e != null; e = e.next) if (e.key.equals(key)) return e.value; return null; }
        void put(Object key, Object value) {
            if (size >= entries.length) grow();
            int h = key.hashCode(), at = h & entries.length - 1;
            for (Entry e = entries[at]; e != null; e = e.next) if (e.key.equals(key)) { e.value = value; return; }
            entries[at] = new Entry(h, key, value, entries[at]);
            size++;
        }
        void grow() {
            Entry[] old = entries;
            entries = new Entry[2 * old.length];
            for (Entry e : old) while (e != null) { Entry n = e.next; int at = e.hash & entries.length - 1; e.next = entries[at]; entries[at] = e; e = n; }
        }
    }

    static class Key { final int k; Key(int k) { this.k = k; } public int hashCode() { return k * 7; } public boolean equals(Object o) { return o instanceof Key && ((Key) o).k == k; } }

    public static void main(String[] args) {
        Table a = new Table(), b = new Table();
        for (int i = 0; i < 12; i++) a.put(new Key(i), new int[i]);
        for (int i = 0; i < 12; i += 2) b.put(new Key(i), a.get(new Key(i)));
        b.put(new Key(4), a);
        System.out.println(b.size + ((int[]) b.get(new Key(10))).length + " " + (b.get(new Key(4)) == a));
    }
}
