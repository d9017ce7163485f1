package apps.tiny;

import apps.App;
import apps.Digest;
import apps.Size;
import apps.Words;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Takes texts apart, character by character, and puts them together again:
 * nearly all of its calls are {@code charAt}, {@code append} and questions
 * about a character.
 */
public final class Spelling implements App {
    private static final int LINE = 72;

    @Override
    public String name() {
        return "strings";
    }

    @Override
    public String iterate(Size size) {
        int texts = size.of(60, 600);
        Digest digest = new Digest();
        Words words = new Words(5, 2_000);
        Map<String, Integer> frequencies = new HashMap<>();
        for (int i = 0; i < texts; i++) {
            String text = text(words, 60);
            List<String> tokens = tokens(text);
            for (String token : tokens) {
                frequencies.merge(token, 1, Integer::sum);
            }
            digest.add(wrapped(tokens));
            digest.add(encoded(text));
            digest.add(palindromes(text));
            digest.add(corrected(tokens, words));
            digest.add(replaced(text));
        }
        List<String> sorted = new ArrayList<>(frequencies.keySet());
        sorted.sort(String::compareTo);
        for (String token : sorted) {
            digest.add(token + "=" + frequencies.get(token));
        }
        return digest.text();
    }

    private static String text(Words words, int sentences) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < sentences; i++) {
            text.append(words.sentence(4 + words.number(12))).append(i % 5 == 4 ? '\n' : ' ');
        }
        return text.toString();
    }

    /** Words in lower case, by the class of each character. */
    private static List<String> tokens(String text) {
        List<String> tokens = new ArrayList<>();
        StringBuilder token = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isLetter(c)) {
                token.append(Character.toLowerCase(c));
            } else if (!token.isEmpty()) {
                tokens.add(token.toString());
                token.setLength(0);
            }
        }
        return tokens;
    }

    /** Lines of even length, the spaces between words stretched. */
    private static String wrapped(List<String> tokens) {
        StringBuilder page = new StringBuilder();
        StringBuilder line = new StringBuilder();
        for (String token : tokens) {
            if (line.length() + token.length() >= LINE) {
                page.append(stretched(line)).append('\n');
                line.setLength(0);
            }
            if (!line.isEmpty()) {
                line.append(' ');
            }
            line.append(token);
        }
        return page.append(line).toString();
    }

    private static StringBuilder stretched(StringBuilder line) {
        StringBuilder stretched = new StringBuilder();
        int missing = LINE - line.length();
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            stretched.append(c);
            if (c == ' ' && missing > 0) {
                stretched.append(' ');
                missing--;
            }
        }
        return stretched;
    }

    /** Percent encoding, and back. */
    private static int encoded(String text) {
        StringBuilder encoded = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (isPlain(c)) {
                encoded.append(c);
            } else {
                encoded.append('%').append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 15, 16));
            }
        }
        StringBuilder decoded = new StringBuilder();
        for (int i = 0; i < encoded.length(); i++) {
            char c = encoded.charAt(i);
            if (c == '%') {
                int high = Character.digit(encoded.charAt(i + 1), 16);
                c = (char) (high << 4 | Character.digit(encoded.charAt(i + 2), 16));
                i += 2;
            }
            decoded.append(c);
        }
        return decoded.toString().equals(text) ? encoded.length() : -1;
    }

    private static boolean isPlain(char c) {
        return c >= 'a' && c <= 'z' || Character.isDigit(c);
    }

    /** Length of the longest stretch that reads the same backwards. */
    private static int palindromes(CharSequence text) {
        int longest = 0;
        for (int middle = 0; middle < text.length(); middle++) {
            longest = Math.max(longest, grown(text, middle, middle));
            longest = Math.max(longest, grown(text, middle, middle + 1));
        }
        return longest;
    }

    private static int grown(CharSequence text, int from, int to) {
        while (from >= 0 && to < text.length() && text.charAt(from) == text.charAt(to)) {
            from--;
            to++;
        }
        return to - from - 1;
    }

    /** For some words, which of a few others is nearest. */
    private static int corrected(List<String> tokens, Words words) {
        int sum = 0;
        for (int i = 0; i < tokens.size(); i += 16) {
            int nearest = Integer.MAX_VALUE;
            for (int rank = 0; rank < 10; rank++) {
                nearest = Math.min(nearest, distance(tokens.get(i), words.word(rank * 97)));
            }
            sum = sum * 31 + nearest;
        }
        return sum;
    }

    /** How many characters to put in, take out or change (Levenshtein). */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int cost = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(cost, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }

    /** What the string's own methods do with parts. */
    private static int replaced(String text) {
        int sum = 0;
        for (String line : text.split("\n")) {
            int space = line.indexOf(' ');
            while (space >= 0) {
                String rest = line.substring(space + 1);
                sum += rest.startsWith("ba") ? 1 : rest.trim().hashCode() & 7;
                space = line.indexOf(' ', space + 1);
            }
            sum = sum * 31 + line.replace("ra", "ro").toUpperCase(Locale.ROOT).compareTo(line);
        }
        return sum;
    }
}
