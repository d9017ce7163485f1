import java.util.List;

/** Patterns in switch and instanceof: types, records, guards, nesting, enums, unnamed variables. */
public class Patterns {
    sealed interface Expression permits Constant, Sum, Product, Negation {
    }

    record Constant(int value) implements Expression {
    }

    record Sum(Expression left, Expression right) implements Expression {
    }

    record Product(Expression left, Expression right) implements Expression {
    }

    record Negation(Expression inner) implements Expression {
    }

    enum Colour { RED, GREEN }

    static int evaluate(Expression expression) {
        return switch (expression) {
            case Constant(int value) -> value;
            case Sum(Constant(var a), Constant(var b)) -> a + b;
            case Sum(var left, var right) -> evaluate(left) + evaluate(right);
            case Product(Constant(var zero), _) when zero == 0 -> 0;
            case Product(var left, var right) -> evaluate(left) * evaluate(right);
            case Negation(Negation(var inner)) -> evaluate(inner);
            case Negation(var inner) -> -evaluate(inner);
        };
    }

    static String kind(Object object) {
        return switch (object) {
            case null -> "null";
            case Colour c when c == Colour.RED -> "red";
            case Colour c -> c.name();
            case Integer i when i > 10 -> "large";
            case Integer _ -> "small";
            case CharSequence s when s.length() > 3 -> "long " + s;
            case String s -> s;
            case List<?> list -> "list of " + list.size();
            case int[] array -> "ints " + array.length;
            default -> object.getClass().getSimpleName();
        };
    }

    static int strings(String text) {
        return switch (text) {
            case "one" -> 1;
            case "two" -> 2;
            case String s when s.isEmpty() -> 0;
            case String s -> s.length() * 10;
        };
    }

    public static void main(String[] args) {
        Expression expression = new Sum(new Product(new Constant(3), new Constant(4)),
                new Negation(new Negation(new Sum(new Constant(1), new Constant(2)))));
        System.out.println(evaluate(expression) + " " + evaluate(new Product(new Constant(0), expression)));
        for (Object object : new Object[] {null, Colour.RED, Colour.GREEN, 5, 50, "ab", "abcd", List.of(1), new int[2], 1.5}) {
            System.out.print(kind(object) + ", ");
        }
        System.out.println(strings("one") + strings("") + strings("three"));
        Object object = new Sum(new Constant(5), new Constant(6));
        if (object instanceof Sum(Constant(int a), Constant(int b)) && a < b) {
            System.out.println(a * b);
        }
        try {
            kind(new Object() {
                @Override
                public String toString() {
                    return "";
                }
            });
            evaluate(null);
        } catch (NullPointerException e) {
            System.out.println("null is matched by nothing");
        }
    }
}
