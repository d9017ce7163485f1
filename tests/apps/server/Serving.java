package apps.server;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** A Spring Boot server that answers each number with the same invoice. */
@SpringBootApplication
@RestController
public class Serving {
    /** A position. */
    public record Line(String name, int amount, double price) {}

    /** What is answered. */
    public record Invoice(int number, List<Line> lines, double sum) {}

    /** The invoice of a number. */
    @GetMapping("/invoice/{number}")
    public Invoice invoice(@PathVariable("number") int number) {
        List<Line> lines = new ArrayList<>();
        double sum = 0;
        for (int i = 0; i < 20; i++) {
            Line line = new Line("item " + (number * 31 + i) % 97, i % 5 + 1, (number + i) * 0.25);
            lines.add(line);
            sum += line.amount() * line.price();
        }
        lines.sort(Comparator.comparing(Line::name));
        return new Invoice(number, lines, sum);
    }

    public static void main(String[] args) {
        SpringApplication.run(Serving.class, args);
    }
}
