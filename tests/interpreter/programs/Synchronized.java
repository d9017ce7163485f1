/** Monitors, which neither copy nor consume. */
class Synchronized {
    private final Object lock = new Object();
    int count; static Object last; Object kept;

    synchronized void add(int n) { count = n; }

    static synchronized void keep(Object o) { last = o; }

    int guarded(Object other) {
        synchronized (lock) {
            synchronized (other) { kept = other; return count; }
        }
    }

    public static void main(String[] args) {
        Synchronized s = new Synchronized();
        Synchronized t = new Synchronized();
        for (int i = 0; i < 3; i++) { s.add(i); t.add(s.guarded(t)); keep(s.kept); }
        try { synchronized (s) { throw new IllegalStateException(); } } catch (IllegalStateException e) { keep(t); }
        System.out.println(t.count + " " + (last == t));
    }
}
