package app;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import office.Office;
import org.trimou.engine.MustacheEngine;
import org.trimou.engine.MustacheEngineBuilder;
import org.trimou.engine.config.EngineConfigurationKey;
import org.trimou.engine.locator.FileSystemTemplateLocator;

/** Letters are written from templates, which are read again each time. */
public final class Trimou36 {
    private static final int LETTERS = 6;
    private static final String LETTER =
            """
            Dear {{name}},
            {{#orders}}
             * {{item}} at {{price}}
            {{/orders}}
            yours, {{office}}
            """;

    private final MustacheEngine engine;

    private Trimou36(Path folder) {
        engine = MustacheEngineBuilder.newBuilder()
                .setProperty(EngineConfigurationKey.TEMPLATE_CACHE_ENABLED, false)
                .addTemplateLocator(new FileSystemTemplateLocator(1, folder.toString(), "mustache"))
                .build();
    }

    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createTempDirectory("templates");
        for (int letter = 0; letter < LETTERS; letter++) {
            Files.writeString(folder.resolve("letter" + letter + ".mustache"), LETTER);
        }
        Trimou36 clerk = new Trimou36(folder);
        int days = Office.days(arguments, 5);
        for (int day = 0; day < days; day++) {
            Office.morning(day);
            Office.add(clerk.letters(day));
            Office.afternoon(day);
        }
        Office.close();
        for (int letter = 0; letter < LETTERS; letter++) {
            Files.delete(folder.resolve("letter" + letter + ".mustache"));
        }
        Files.delete(folder);
    }

    private long letters(int day) {
        List<Map<String, String>> orders =
                List.of(Map.of("item", "pen", "price", "3"), Map.of("item", "ink", "price", "5"));
        Map<String, Object> facts = Map.of("name", "name " + day, "office", "office", "orders", orders);
        long sum = 0;
        for (int letter = 0; letter < LETTERS; letter++) {
            sum = sum * 31 + engine.getMustache("letter" + letter).render(facts).hashCode();
        }
        return sum;
    }
}
