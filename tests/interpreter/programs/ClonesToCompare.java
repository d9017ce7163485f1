/** Section 3.6, GregorianCalendar: objects are cloned to be compared. */
class ClonesToCompare {
    static class Calendar implements Cloneable {
        int[] fields = new int[17]; boolean[] isSet = new boolean[17]; long time;
        Calendar(long t) { time = t; for (int i = 0; i < 17; i++) { fields[i] = (int) t + i; isSet[i] = true; } }
        public Object clone() { try { Calendar c = (Calendar) super.clone(); c.fields = new int[17]; c.isSet = new boolean[17]; for (int i = 0; i < 17; i++) { c.fields[i] = fields[i]; c.isSet[i] = isSet[i]; } return c; } catch (CloneNotSupportedException e) { throw new AssertionError(); } }
        static long millisOf(Calendar c) { Calendar copy = (Calendar) c.clone(); return copy.compute(); }
        long compute() { long sum = time; for (int i = 0; i < 17; i++) if (isSet[i]) sum += fields[i]; return sum; }
        boolean after(Calendar other) { return millisOf(this) > millisOf(other); }
    }

    public static void main(String[] args) {
        Calendar now = new Calendar(100), then = new Calendar(50);
        int after = 0;
        for (int i = 0; i < 60; i++) if (now.after(then)) after++;
        System.out.println(after);
    }
}
