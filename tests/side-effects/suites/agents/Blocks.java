import reactor.blockhound.BlockHound;
import reactor.blockhound.integration.BlockHoundIntegration;

/** BlockHound, which redefines classes of the JDK so that they tell of calls that block. */
public final class Blocks {
    private Blocks() {
    }

    public static void main(String[] args) throws Exception {
        BlockHoundIntegration rules = builder -> builder
            .nonBlockingThreadPredicate(before -> before.or(thread -> thread.getName().equals("must not block")))
            .blockingMethodCallback(method -> {
                throw new IllegalStateException("blocks: " + method);
            });
        for (int i = 0; i < 3; i++) {
            BlockHound.install(rules);
        }
        Thread.sleep(1);
        StringBuilder said = new StringBuilder();
        for (String name : new String[] {"may block", "must not block"}) {
            Thread thread = new Thread(() -> {
                try {
                    Thread.sleep(1);
                    said.append(name).append(": ok. ");
                } catch (IllegalStateException | InterruptedException e) {
                    said.append(name).append(": ").append(e.getMessage()).append(". ");
                }
            }, name);
            thread.start();
            thread.join();
        }
        System.out.println(said);
    }
}
