import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import subsume.Profile;

/** Judges pieces of work by themselves: one after the other, within each other, and on two threads. */
public final class UsesTests {
    public static void main(String[] args) throws Exception {
        List<Integer> list = numbers(0);
        List<Integer> wanted = numbers(1000);
        if (args.length > 0) {
            long only = Profile.beginTest();
            search(list, wanted);
            print("only", Profile.endTest(only));
            return;
        }
        print("unknown", Profile.endTest(1));
        search(list, wanted);
        long innocent = Profile.beginTest();
        search(new HashSet<>(list), wanted);
        print("innocent", Profile.endTest(innocent));
        long slow = Profile.beginTest();
        search(list, wanted);
        print("slow", Profile.endTest(slow));
        long outer = Profile.beginTest();
        long inner = Profile.beginTest();
        search(list, wanted);
        print("inner", Profile.endTest(inner));
        print("outer", Profile.endTest(outer));
        print("outer, again", Profile.endTest(outer));
        onTwoThreads(list, wanted);
    }

    private static void onTwoThreads(List<Integer> list, List<Integer> wanted) throws Exception {
        CyclicBarrier bothBegun = new CyclicBarrier(2);
        String[][] found = new String[2][];
        Thread[] threads = new Thread[2];
        for (int i = 0; i < 2; i++) {
            int number = i;
            Collection<Integer> searched = i == 0 ? list : new HashSet<>(list);
            threads[i] = new Thread(() -> {
                long test = Profile.beginTest();
                try {
                    bothBegun.await();
                } catch (Exception impossible) {
                    throw new AssertionError(impossible);
                }
                search(searched, wanted);
                found[number] = Profile.endTest(test);
            });
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        print("slow thread", found[0]);
        print("innocent thread", found[1]);
    }

    private static int search(Collection<Integer> searched, List<Integer> wanted) {
        int found = 0;
        for (Integer one : wanted) {
            if (searched.contains(one)) {
                found++;
            }
        }
        return found;
    }

    private static List<Integer> numbers(int first) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            numbers.add(first + i);
        }
        return numbers;
    }

    private static void print(String what, String[] loops) {
        System.out.println(what + ": " + (loops == null ? "no test" : loops.length + " loops"));
        if (what.equals("only") && loops != null) {
            for (String loop : loops) {
                System.out.print(loop);
            }
        }
    }
}
