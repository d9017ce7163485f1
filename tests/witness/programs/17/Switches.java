/** Every form of switch but patterns: dense, sparse, on strings, enums and characters, as statement and as expression. */
public class Switches {
    enum Colour { RED, GREEN, BLUE, GREY }

    static int dense(int key) {
        switch (key) {
            case 0:
                return 10;
            case 1:
            case 2:
                key += 5;
                // falls through
            case 3:
                key *= 2;
                break;
            case 5:
                return key;
            default:
                key = -key;
        }
        return key;
    }

    static String sparse(int key) {
        switch (key) {
            case -1000000:
                return "low";
            case 0:
                return "zero";
            case 77:
                return "77";
            case 1000000:
                return "high";
            default:
                return "other";
        }
    }

    static int strings(String key) {
        switch (key) {
            case "Aa":
                return 1;
            case "BB": // the same hash as Aa
                return 2;
            case "":
                return 3;
            default:
                return key.length();
        }
    }

    static int enums(Colour colour) {
        return switch (colour) {
            case RED -> 1;
            case GREEN, BLUE -> {
                int x = colour.ordinal();
                yield x * 10;
            }
            case GREY -> throw new IllegalArgumentException("no colour");
        };
    }

    static char characters(char c) {
        return switch (c) {
            case 'a', 'e', 'i', 'o', 'u' -> 'v';
            case 'x' -> 'X';
            default -> Character.toUpperCase(c);
        };
    }

    static long nested(int a, int b) {
        long sum = 0;
        outer:
        for (int i = 0; i < a; i++) {
            switch (i % 4) {
                case 0:
                    switch (b) {
                        case 1:
                            continue outer;
                        case 2:
                            sum += 100;
                            break;
                        default:
                            sum++;
                    }
                    break;
                case 3:
                    if (i > 20) {
                        break outer;
                    }
                default:
                    sum += i;
            }
        }
        return sum;
    }

    static int onlyDefault(int key) {
        switch (key) {
            default:
                return key + 1;
        }
    }

    public static void main(String[] args) {
        int sum = 0;
        for (int i = -2; i < 8; i++) {
            sum = sum * 3 + dense(i) + onlyDefault(i);
        }
        System.out.println(sum);
        for (int key : new int[] {-1000000, 0, 77, 78, 1000000}) {
            System.out.print(sparse(key) + ' ');
        }
        for (String key : new String[] {"Aa", "BB", "", "other"}) {
            System.out.print(strings(key) + " ");
        }
        for (Colour colour : Colour.values()) {
            try {
                System.out.print(enums(colour) + " ");
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        }
        for (char c : "axyz".toCharArray()) {
            System.out.print(characters(c));
        }
        System.out.println(" " + nested(30, 1) + " " + nested(10, 2) + " " + nested(30, 3));
    }
}
