import java.util.ArrayList;
import java.util.List;

/** Streams that search: for an equal number, which a map finds, and for an overlap. */
class ComparesPairs {
    private static final int SIZE = 300;

    private final int number;
    private final int start;
    private final int end;

    private ComparesPairs(int number) {
        this.number = number;
        start = 10 * number;
        end = start + 9;
    }

    public static void main(String[] arguments) {
        List<ComparesPairs> all = new ArrayList<>();
        for (int i = 0; i < SIZE; i++) {
            all.add(new ComparesPairs(i));
        }
        int found = 0;
        for (int round = 0; round < 3; round++) {
            found += equal(all) + overlapping(all) + overlappingByFilter(all);
        }
        System.out.println(found);
    }

    private static int equal(List<ComparesPairs> all) {
        int found = 0;
        for (int i = 0; i < SIZE; i++) {
            int number = i * 7 % SIZE;
            found += all.stream().anyMatch(one -> one.number == number) ? 1 : 0;
        }
        return found;
    }

    private static int overlapping(List<ComparesPairs> all) {
        int found = 0;
        for (ComparesPairs one : all) {
            found += all.stream().anyMatch(other -> other != one && other.overlaps(one)) ? 1 : 0;
        }
        return found;
    }

    private static int overlappingByFilter(List<ComparesPairs> all) {
        int found = 0;
        for (ComparesPairs one : all) {
            found += all.stream().filter(other -> other != one).filter(one::overlaps).findAny().isPresent() ? 1 : 0;
        }
        return found;
    }

    private boolean overlaps(ComparesPairs other) {
        return start <= other.end && other.start <= end;
    }
}
