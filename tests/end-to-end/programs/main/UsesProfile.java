import subsume.Profile;

/** Switches recording on and off around one of three equal pieces of work. */
public final class UsesProfile {
    static long total;

    public static void main(String[] args) throws Exception {
        Thread worker = new Thread(UsesProfile::serve, "worker");
        worker.setDaemon(true);
        worker.start();

        System.out.println("recording " + Profile.isRecording());
        piece("before");
        System.out.println("start " + Profile.start() + " recording " + Profile.isRecording());
        piece("during");
        System.out.println("stop " + Profile.stop() + " recording " + Profile.isRecording());
        piece("after");
        System.out.println("dump nowhere " + Profile.dump("/no/such/folder/x.subsume") + Profile.dump(null));
        if (args.length > 0) {
            System.out.println("dump " + Profile.dump(args[0]));
        }
        System.out.println("no text " + Profile.dump("half-\ud83d.subsume"));
        System.out.println("emoji " + Profile.dump("emoji-\ud83d\ude00.subsume"));
        System.out.println("total " + total);
    }

    private static void piece(String name) throws InterruptedException {
        for (int i = 0; i < 100; i++) {
            switch (name) {
                case "before": before(); break;
                case "during": during(); break;
                default: after();
            }
        }
        ask();
    }

    private static void before() {
        total++;
    }

    private static void during() {
        total++;
    }

    private static void after() {
        total++;
    }

    private static final Object LOCK = new Object();
    private static boolean asked;

    /** Has the worker, which was started before any recording, do its part now. */
    private static void ask() throws InterruptedException {
        synchronized (LOCK) {
            asked = true;
            LOCK.notifyAll();
            while (asked) {
                LOCK.wait();
            }
        }
    }

    private static void serve() {
        synchronized (LOCK) {
            while (true) {
                while (!asked) {
                    try {
                        LOCK.wait();
                    } catch (InterruptedException e) {
                        return;
                    }
                }
                for (int i = 0; i < 50; i++) {
                    served();
                }
                asked = false;
                LOCK.notifyAll();
            }
        }
    }

    private static void served() {
        total++;
    }
}
