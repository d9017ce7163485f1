package office;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** An archive of letters: kept under their digest, found by words, the oldest dropped. */
public final class Archive {
    private Archive() {}

    public static long run(int round) {
        Random random = new Random(round);
        Map<String, String> shelf = new LinkedHashMap<>(64, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<String, String> eldest) {
                return size() > 24;
            }
        };
        Map<String, List<Integer>> index = new HashMap<>();
        long sum = 0;
        for (int number = 0; number < 40; number++) {
            String letter = Letters.letter(random);
            byte[] bytes = letter.getBytes(StandardCharsets.UTF_8);
            shelf.put(HexFormat.of().formatHex(digest(bytes)), Base64.getEncoder().encodeToString(bytes));
            int begin = 0;
            for (int at = 0; at <= letter.length(); at++) {
                if (at == letter.length() || !Character.isLetterOrDigit(letter.charAt(at))) {
                    if (at > begin) {
                        index.computeIfAbsent(letter.substring(begin, at), word -> new ArrayList<>()).add(number);
                    }
                    begin = at + 1;
                }
            }
        }
        for (String kept : shelf.values()) {
            sum += new String(Base64.getDecoder().decode(kept), StandardCharsets.UTF_8).hashCode();
        }
        List<String> words = new ArrayList<>(index.keySet());
        Collections.sort(words);
        for (String word : words) {
            sum = sum * 31 + index.get(word).size() + distance(word, "invoice");
        }
        return sum;
    }

    private static byte[] digest(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (java.security.NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int distance(String one, String other) {
        int[] costs = new int[other.length() + 1];
        for (int j = 0; j < costs.length; j++) {
            costs[j] = j;
        }
        for (int i = 1; i <= one.length(); i++) {
            int diagonal = costs[0];
            costs[0] = i;
            for (int j = 1; j < costs.length; j++) {
                int above = costs[j];
                int same = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
                costs[j] = Math.min(same, 1 + Math.min(above, costs[j - 1]));
                diagonal = above;
            }
        }
        return costs[other.length()];
    }
}
