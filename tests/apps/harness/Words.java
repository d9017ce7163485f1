package apps;

import java.util.Random;

/**
 * Made-up text: a vocabulary of pronounceable words whose frequencies fall
 * off as in natural language, the same for the same seed everywhere.
 */
public final class Words {
    private static final String[] SYLLABLES = {
        "ba", "cor", "de", "fin", "gra", "hel", "is", "jo", "ka", "lum", "mi", "nor", "ol", "pra",
        "qui", "ra", "sel", "ti", "um", "ver", "wen", "xa", "yo", "zar"
    };

    private final Random random;
    private final String[] vocabulary;

    public Words(long seed, int vocabularySize) {
        random = new Random(seed);
        vocabulary = new String[vocabularySize];
        for (int i = 0; i < vocabularySize; i++) {
            vocabulary[i] = spell(i);
        }
    }

    /** The next word; low ranks are more frequent than high ones. */
    public String next() {
        // The cube of a uniform number favours the start of the vocabulary.
        double r = random.nextDouble();
        return vocabulary[(int) (r * r * r * vocabulary.length)];
    }

    /** The word of the given rank, which counts from 0. */
    public String word(int rank) {
        return vocabulary[rank];
    }

    /** A sentence of so many words, with a capital and a full stop. */
    public String sentence(int words) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < words; i++) {
            text.append(i == 0 ? "" : " ").append(next());
        }
        text.setCharAt(0, Character.toUpperCase(text.charAt(0)));
        return text.append('.').toString();
    }

    /** A number from 0 up to, but without, the bound. */
    public int number(int bound) {
        return random.nextInt(bound);
    }

    private static String spell(int rank) {
        StringBuilder word = new StringBuilder();
        int rest = rank + SYLLABLES.length;
        while (rest > 0) {
            word.append(SYLLABLES[rest % SYLLABLES.length]);
            rest /= SYLLABLES.length;
        }
        return word.toString();
    }
}
