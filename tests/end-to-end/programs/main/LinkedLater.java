/** Executes classes that JVMs load, but do not link, when they start. */
public final class LinkedLater {
    private LinkedLater() {
    }

    public static void main(String[] args) {
        StringBuffer buffer = new StringBuffer("subsume");
        for (int i = 0; i < 5; i++) {
            buffer.reverse();
        }
        long sum = 0;
        for (int i = 0; i < 7; i++) {
            sum += Long.highestOneBit(i);
        }
        System.out.println(buffer + " " + sum);
    }
}
