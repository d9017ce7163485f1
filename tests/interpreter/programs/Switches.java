/** Switches over ints, strings and enums; what they decide on is consumed. */
class Switches {
    enum Colour { RED, GREEN, BLUE }

    int code = 2; String word = "two"; Colour colour = Colour.GREEN; Object result; int number;

    int table(int n) { switch (n) { case 0: return 1; case 1: return code; case 2: return number; default: return n; } }

    int lookup(int n) { switch (n) { case 10: return code; case 1000: return 2; case -5: return 3; } return number; }

    int strings(String s) { switch (s) { case "one": return 1; case "two": return code; default: return 0; } }

    int enums(Colour c) { return switch (c) { case RED -> 1; case GREEN -> code; case BLUE -> 3; }; }

    public static void main(String[] args) {
        Switches s = new Switches();
        for (int i = 0; i < 4; i++) s.number = s.table(i);
        s.number += s.lookup(10) + s.lookup(1000) + s.lookup(7);
        s.code = s.strings(s.word);
        for (Colour c : Colour.values()) { s.number = s.enums(c); s.colour = c; }
        s.result = s.colour;
        System.out.println(s.number + s.code + s.colour.ordinal() + " " + s.colour);
    }
}
