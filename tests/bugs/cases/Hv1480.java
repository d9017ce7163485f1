package app;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import javax.validation.ConstraintViolation;
import javax.validation.Valid;
import javax.validation.Validation;
import javax.validation.Validator;
import javax.validation.constraints.Email;
import javax.validation.constraints.Max;
import javax.validation.constraints.Min;
import javax.validation.constraints.NotEmpty;
import javax.validation.constraints.NotNull;
import javax.validation.constraints.Pattern;
import javax.validation.constraints.Size;
import org.hibernate.validator.messageinterpolation.ParameterMessageInterpolator;

/** Orders of a shop are checked before they are taken. */
public final class Hv1480 {
    /** Where an order goes to. */
    public static final class Address {
        @NotEmpty @Size(max = 40) String street;
        @NotEmpty @Size(max = 30) String city;
        @Pattern(regexp = "[0-9]{4,5}") String code;
    }

    /** A line of an order. */
    public static final class Line {
        @NotNull @Size(min = 3, max = 30) String article;
        @Min(1) @Max(99) int count;
        @Min(1) long price;
    }

    /** An order. */
    public static final class Order {
        @NotNull @Size(min = 1, max = 60) String customer;
        @Email String mail;
        @NotNull @Valid Address address;
        @NotEmpty @Valid List<Line> lines = new ArrayList<>();
    }

    public static void main(String[] arguments) {
        int percent = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 100;
        Validator validator = Validation.byDefaultProvider().configure()
                .messageInterpolator(new ParameterMessageInterpolator()).buildValidatorFactory().getValidator();
        Random random = new Random(5);
        TreeMap<String, Integer> complaints = new TreeMap<>();
        long taken = 0;
        for (int number = 0; number < 3_000 * percent / 100; number++) {
            Order order = order(random);
            boolean good = true;
            for (ConstraintViolation<Order> violation : validator.validate(order)) {
                complaints.merge(violation.getPropertyPath() + ": " + violation.getMessage(), 1, Integer::sum);
                good = false;
            }
            if (good) {
                for (Line line : order.lines) {
                    taken += line.count * line.price;
                }
            }
        }
        System.out.println("sum " + Long.toHexString(taken * 31 + complaints.hashCode()));
    }

    private static Order order(Random random) {
        Order order = new Order();
        order.customer = "customer " + random.nextInt(900);
        order.mail = random.nextInt(20) == 0 ? "nowhere" : "c" + random.nextInt(900) + "@shop.example.org";
        order.address = new Address();
        order.address.street = "street " + random.nextInt(300);
        order.address.city = "city " + random.nextInt(40);
        order.address.code = String.valueOf(random.nextInt(30) == 0 ? random.nextInt(999) : 1_000 + random.nextInt(90_000));
        for (int line = 1 + random.nextInt(9); line > 0; line--) {
            Line one = new Line();
            one.article = "article " + random.nextInt(5_000);
            one.count = random.nextInt(40);
            one.price = 1 + random.nextInt(9_000);
            order.lines.add(one);
        }
        return order;
    }
}
