/** A counter that is counted up and never asked for, beside one that is. */
class CounterNobodyReads {
    static class Cache {
        int hits, misses;
        boolean holds(int key) { if (key % 3 == 0) { hits = hits + 1; return true; } misses = misses + 1; return false; }
    }

    public static void main(String[] args) {
        Cache cache = new Cache();
        int held = 0;
        for (int i = 0; i < 90; i++) if (cache.holds(i)) held++;
        System.out.println(held + cache.misses);
    }
}
