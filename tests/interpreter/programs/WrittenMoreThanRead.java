/** Section 4.3.2, derby: an array that is updated all the time and looked at now and then. */
class WrittenMoreThanRead {
    static class Statistics { final long[] counters = new long[8]; void update(long value) { for (int i = 0; i < 8; i++) counters[i] = value * i; } long read(int i) { return counters[i]; } }

    public static void main(String[] args) {
        Statistics s = new Statistics();
        long seen = 0;
        for (int i = 0; i < 400; i++) { s.update(i); if (i % 100 == 0) seen += s.read(3); }
        System.out.println(seen);
    }
}
