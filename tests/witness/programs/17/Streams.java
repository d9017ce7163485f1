import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A good deal of the class library: streams, collections, regular expressions, dates, formats. */
public class Streams {
    record Word(String text, int length) {
    }

    public static void main(String[] args) {
        String text = "the quick brown fox jumps over the lazy dog and the quiet cat";
        List<Word> words = Arrays.stream(text.split(" ")).map(w -> new Word(w, w.length())).toList();
        Map<Integer, List<String>> byLength = words.stream()
                .collect(Collectors.groupingBy(Word::length, TreeMap::new, Collectors.mapping(Word::text, Collectors.toList())));
        System.out.println(byLength);
        System.out.println(words.stream().map(Word::text).distinct().sorted().limit(4).collect(Collectors.joining("|")));
        System.out.println(IntStream.rangeClosed(1, 20).filter(i -> i % 3 == 0).mapToObj(Integer::toString).toList());
        System.out.println(Stream.iterate(1, x -> x * 2).takeWhile(x -> x < 500).reduce(0, Integer::sum));
        System.out.println(words.stream().collect(Collectors.toMap(Word::text, Function.identity(), (a, b) -> a, LinkedHashMap::new)).size());
        System.out.println(Pattern.compile("(\\w)(\\w*)").matcher(text).replaceAll(m -> m.group(1).toUpperCase() + m.group(2)));
        System.out.println(java.time.LocalDate.of(2024, 2, 28).plusDays(2).getDayOfWeek());
        System.out.println(words.stream().mapToInt(Word::length).summaryStatistics());
        System.out.println(List.of(5, 3, 9).stream().sorted().map(String::valueOf).collect(Collectors.toList()));
    }
}
