import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** The bugs of the paper's figures 1 and 2, and what fixes them. */
public class PaperFigures {
    private static final int ITEMS = 60;

    public static void main(String[] arguments) {
        boolean fixed = arguments.length > 1;
        int result = arguments[0].equals("chart") ? Chart.run(fixed) : Sets.run(fixed);
        System.out.println(result);
    }

    /** Figure 1: the largest volume is looked for again for each item. */
    static class Chart {
        private final List<Integer> volumes = new ArrayList<>();
        private int largest;
        private int drawn;

        static int run(boolean fixed) {
            Chart chart = new Chart();
            for (int i = 0; i < ITEMS; i++) {
                chart.volumes.add(1000 + i * 7919 % 1000);
            }
            chart.render(fixed);
            return chart.drawn;
        }

        void render(boolean fixed) {
            for (int item = 0; item < ITEMS; item++) {
                drawItem(item, fixed);
            }
        }

        void drawItem(int item, boolean fixed) {
            if (largest == 0 || !fixed) {
                largest = largestVolume();
            }
            drawn += largest - item;
        }

        int largestVolume() {
            int most = 1;
            for (int i = 0; i < ITEMS; i++) {
                int volume = volumes.get(i).intValue();
                if (volume > most) {
                    most = volume;
                }
            }
            return most;
        }
    }

    /** Figure 2: a set removes all elements of a list, and looks for each of its own in the list. */
    static class Sets {
        static int run(boolean fixed) {
            HashSet<String> set = new HashSet<>();
            ArrayList<String> list = new ArrayList<>();
            for (int i = 0; i < ITEMS; i++) {
                set.add("in the set " + i);
                list.add("in the list " + i);
            }
            if (fixed) {
                for (String element : list) {
                    set.remove(element);
                }
            } else {
                set.removeAll(list);
            }
            return set.size();
        }
    }
}
