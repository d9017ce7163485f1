package app;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import office.Office;
import org.apache.commons.codec.EncoderException;
import org.apache.commons.codec.language.Metaphone;
import org.apache.commons.codec.language.Soundex;
import org.apache.commons.codec.language.bm.BeiderMorseEncoder;

/** A register of persons that finds names by how they sound. */
public final class Codec174 {
    private static final String[] BEGINNINGS = {"Schwar", "Berg", "Roth", "Gold", "Wein", "Silber", "Lind", "Kauf"};
    private static final String[] ENDS = {"mann", "stein", "berg", "feld", "thal", "baum", "heim", "ner"};

    private final BeiderMorseEncoder encoder = new BeiderMorseEncoder();
    private final Soundex soundex = new Soundex();
    private final Metaphone metaphone = new Metaphone();
    private final Map<String, Integer> register = new HashMap<>();

    public static void main(String[] arguments) throws EncoderException {
        Codec174 persons = new Codec174();
        int days = Office.days(arguments, 5);
        for (int day = 0; day < days; day++) {
            Office.morning(day);
            Random random = new Random(day);
            for (int number = 0; number < 18; number++) {
                String name = BEGINNINGS[random.nextInt(BEGINNINGS.length)] + ENDS[random.nextInt(ENDS.length)];
                persons.enter(name);
            }
            Office.afternoon(day);
        }
        Office.add(persons.register.hashCode());
        Office.close();
    }

    private void enter(String name) throws EncoderException {
        register.merge(soundex.encode(name), 1, Integer::sum);
        register.merge(metaphone.encode(name), 1, Integer::sum);
        for (String sound : encoder.encode(name).split("\\|")) {
            register.merge(sound, 1, Integer::sum);
        }
    }
}
