import java.util.EnumMap;
import java.util.EnumSet;

/** Enums with bodies, fields and abstract methods, and the collections made for them. */
public class Enums {
    enum Operation {
        PLUS("+") {
            @Override
            int apply(int a, int b) {
                return a + b;
            }
        },
        TIMES("*") {
            @Override
            int apply(int a, int b) {
                int product = 0;
                for (int i = 0; i < b; i++) {
                    product = PLUS.apply(product, a);
                }
                return product;
            }
        };

        private static final Operation[] BY_LENGTH = values();
        final String symbol;

        Operation(String symbol) {
            this.symbol = symbol;
        }

        abstract int apply(int a, int b);
    }

    enum Day { MONDAY, TUESDAY, WEDNESDAY, THURSDAY, FRIDAY, SATURDAY, SUNDAY;

        boolean isFree() {
            return this == SATURDAY || this == SUNDAY;
        }

        Day next() {
            return values()[(ordinal() + 1) % values().length];
        }
    }

    public static void main(String[] args) {
        for (Operation operation : Operation.values()) {
            System.out.print(operation + operation.symbol + operation.apply(6, 7) + operation.getDeclaringClass().getSimpleName() + " ");
        }
        EnumMap<Day, Integer> map = new EnumMap<>(Day.class);
        EnumSet<Day> free = EnumSet.noneOf(Day.class);
        Day day = Day.MONDAY;
        for (int i = 0; i < 10; i++) {
            map.merge(day, i, Integer::sum);
            if (day.isFree()) {
                free.add(day);
            }
            day = day.next();
        }
        System.out.println(map + " " + free + EnumSet.complementOf(free).size() + Day.valueOf("FRIDAY").compareTo(Day.MONDAY));
        try {
            Day.valueOf("NEVER");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage() + Operation.BY_LENGTH.length);
        }
    }
}
