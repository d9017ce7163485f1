/** Calls of native methods: bound statically, virtually, by super, with and without code of the JVM for them. */
public class Natives implements Cloneable {
    int number = 5;

    @Override
    public int hashCode() {
        return super.hashCode() == System.identityHashCode(this) ? 1 : 0;
    }

    @Override
    protected Natives clone() throws CloneNotSupportedException {
        return (Natives) super.clone();
    }

    public static void main(String[] args) throws Exception {
        Object[] objects = {new Natives(), new Object(), "text", new int[2]};
        int sum = 0;
        for (int i = 0; i < 12; i++) {
            Object object = objects[i % 4];
            sum += object.hashCode() == 1 ? 1 : 0;
            sum += object.getClass().getName().length();
            sum += object.getClass().isArray() ? 10 : 0;
            sum += Thread.currentThread().isAlive() ? 100 : 0;
            sum += Class.class.isInstance(object) ? 1 : 0;
            sum += Integer.class.isAssignableFrom(Number.class) ? 1 : 0;
        }
        System.out.println(sum + new Natives().clone().number);
        int[] from = {1, 2, 3};
        int[] to = new int[3];
        for (int i = 0; i < 5; i++) {
            System.arraycopy(from, 0, to, 0, 3);
            sum += to.clone().length + (int) Math.sqrt(i * 16) + (int) Math.sin(0) + Math.abs(-i);
            sum += Float.floatToRawIntBits(1f) + (int) Double.longBitsToDouble(0L) + (System.nanoTime() > 0 ? 1 : 0);
        }
        System.out.println(sum + Runtime.getRuntime().availableProcessors() * 0);
        Thread.yield();
        System.out.println("a".intern() == "a");
        Object o = new Object();
        synchronized (o) {
            o.notifyAll();
        }
        java.util.zip.CRC32 crc = new java.util.zip.CRC32();
        crc.update(new byte[] {1, 2, 3});
        crc.update(7);
        System.out.println(crc.getValue());
    }
}
