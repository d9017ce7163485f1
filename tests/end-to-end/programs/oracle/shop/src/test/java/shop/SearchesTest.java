package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Lists that are searched for each of thirty words: most searches end early, and all are found. */
class SearchesTest {
    private static final int WORDS = 30;

    /** No record, since older Gradle compiles for releases without them. */
    static final class Word {
        private final String text;
        private final int number;

        Word(String text, int number) {
            this.text = text;
            this.number = number;
        }

        String text() {
            return text;
        }

        int number() {
            return number;
        }
    }

    /** Words of all lengths, and none of them the same object as in another list. */
    private static List<String> words(int seed) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < WORDS; i++) {
            words.add("abcdefghijklm".substring(i % 13) + i);
        }
        Collections.shuffle(words, new Random(seed));
        return words;
    }

    private static int found(List<String> known, List<String> words) {
        int found = 0;
        for (String word : words) {
            if (known.contains(word)) {
                found++;
            }
        }
        return found;
    }

    private static Word find(List<Word> known, int number) {
        for (Word word : known) {
            if (word.number() == number) {
                return word;
            }
        }
        return null;
    }

    private static List<Word> numbered() {
        List<Word> numbered = new ArrayList<>();
        for (String word : words(1)) {
            numbered.add(new Word(word, numbered.size()));
        }
        return numbered;
    }

    @Test
    void inAnArrayList() {
        assertEquals(WORDS, found(words(1), words(2)));
    }

    @Test
    void inALinkedList() {
        assertEquals(WORDS, found(new LinkedList<>(words(3)), words(4)));
    }

    @Test
    void inAnArrayAsList() {
        assertEquals(WORDS, found(Arrays.asList(words(5).toArray(new String[0])), words(6)));
    }

    @Test
    void inAListThatNeverChanges() {
        assertEquals(WORDS, found(List.copyOf(words(7)), words(8)));
    }

    @Test
    void byHand() {
        List<Word> known = numbered();
        List<Word> others = numbered();
        Collections.shuffle(others, new Random(9));
        int found = 0;
        for (Word other : others) {
            found += find(known, other.number()).text().isEmpty() ? 0 : 1;
        }
        assertEquals(WORDS, found);
    }

    @Test
    void byTwoLoops() {
        List<String> known = words(10);
        int found = 0;
        for (String word : words(11)) {
            for (String one : known) {
                if (one.equals(word)) {
                    found++;
                    break;
                }
            }
        }
        assertEquals(WORDS, found);
    }

    @Test
    void byStreams() {
        List<String> known = words(12);
        int found = 0;
        for (String word : words(13)) {
            found += known.stream().anyMatch(one -> one.equals(word)) ? 1 : 0;
        }
        assertEquals(WORDS, found);
    }

    /** What is found at once takes no time. */
    @Test
    void foundAtOnce() {
        List<String> known = words(14);
        int found = 0;
        for (int i = 0; i < WORDS; i++) {
            found += known.contains(new String(known.get(0))) ? 1 : 0;
        }
        assertEquals(WORDS, found);
    }
}
