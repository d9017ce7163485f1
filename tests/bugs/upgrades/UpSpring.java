package app;

import java.util.Map;
import java.util.Random;
import office.Office;
import office.Orders;
import org.springframework.beans.BeanWrapperImpl;
import org.springframework.beans.factory.config.RuntimeBeanReference;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.expression.Expression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardEvaluationContext;
import org.springframework.util.AntPathMatcher;
import org.springframework.util.StringUtils;

/** A service: requests are routed, desks wired up, rules evaluated. */
public final class UpSpring {
    private static final String[] ROUTES = {
        "/orders/{number}", "/orders/{number}/lines/{line}", "/customers/{name}/orders/*", "/files/**/*.pdf", "/search", "/desks/{desk:[0-9]+}/**",
    };
    private static final String[] RULES = {
        "number % 7 == 0 and country == 'AT'", "lines.size() > 2 ? customer : country", "'order ' + number + ' of ' + customer.toUpperCase()",
    };

    public static void main(String[] arguments) {
        int days = Office.days(arguments, 40);
        for (int day = 0; day < days; day++) {
            Office.add(routed(new Random(day)));
            Office.add(ruled(day));
            Office.add(wired(day));
        }
        Office.close();
    }

    private static long routed(Random random) {
        AntPathMatcher matcher = MATCHER;
        long sum = 0;
        for (int request = 0; request < 250; request++) {
            String path = switch (random.nextInt(5)) {
                case 0 -> "/orders/" + random.nextInt(10_000);
                case 1 -> "/orders/" + random.nextInt(10_000) + "/lines/" + random.nextInt(9);
                case 2 -> "/customers/customer-" + random.nextInt(120) + "/orders/open";
                case 3 -> "/files/2024/may/" + random.nextInt(900) + ".pdf";
                default -> "/desks/" + random.nextInt(40) + "/clerks/first";
            };
            for (String route : ROUTES) {
                if (matcher.match(route, path)) {
                    Map<String, String> variables = matcher.extractUriTemplateVariables(route, path);
                    sum += variables.size() + StringUtils.collectionToCommaDelimitedString(variables.values()).length();
                    sum += matcher.extractPathWithinPattern(route, path).length();
                }
            }
            sum += StringUtils.cleanPath(path + "/../x/./y").length();
            sum += StringUtils.tokenizeToStringArray(path, "/").length;
        }
        return sum;
    }

    private static final AntPathMatcher MATCHER = new AntPathMatcher();
    private static final SpelExpressionParser PARSER = new SpelExpressionParser();

    private static long ruled(int day) {
        long sum = 0;
        for (String rule : RULES) {
            Expression expression = PARSER.parseExpression(rule);
            for (Orders.Order order : Orders.make(day, 40)) {
                Document document = new Document();
                document.fill(order);
                sum += String.valueOf(expression.getValue(new StandardEvaluationContext(document))).hashCode();
            }
        }
        return sum;
    }

    private static long wired(int day) {
        DefaultListableBeanFactory factory = new DefaultListableBeanFactory();
        for (int desk = 0; desk < 25; desk++) {
            BeanDefinitionBuilder definition = BeanDefinitionBuilder.genericBeanDefinition(Desk.class);
            definition.addPropertyValue("number", String.valueOf(desk + day));
            definition.addPropertyValue("clerks", "Ada,Bo,Cy");
            if (desk > 0) {
                definition.addPropertyValue("next", new RuntimeBeanReference("desk" + (desk - 1)));
            }
            factory.registerBeanDefinition("desk" + desk, definition.getBeanDefinition());
        }
        long sum = 0;
        for (Desk desk : factory.getBeansOfType(Desk.class).values()) {
            BeanWrapperImpl wrapper = new BeanWrapperImpl(desk);
            wrapper.setPropertyValue("number", "7" + desk.getNumber());
            sum += (Integer) wrapper.getPropertyValue("number") + desk.getClerks().length;
            sum += desk.getNext() == null ? 0 : (Integer) wrapper.getPropertyValue("next.number");
        }
        return sum;
    }

    /** A desk of the office. */
    public static final class Desk {
        private int number;
        private String[] clerks;
        private Desk next;

        public int getNumber() {
            return number;
        }

        public void setNumber(int number) {
            this.number = number;
        }

        public String[] getClerks() {
            return clerks;
        }

        public void setClerks(String[] clerks) {
            this.clerks = clerks;
        }

        public Desk getNext() {
            return next;
        }

        public void setNext(Desk next) {
            this.next = next;
        }
    }

    /** An order as rules see it. */
    public static final class Document {
        private Orders.Order order;

        void fill(Orders.Order filled) {
            order = filled;
        }

        public int getNumber() {
            return order.number();
        }

        public String getCustomer() {
            return order.customer();
        }

        public String getCountry() {
            return order.country();
        }

        public java.util.List<Orders.Line> getLines() {
            return order.lines();
        }
    }
}
