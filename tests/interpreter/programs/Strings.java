/** Strings as objects that are passed around, and their methods. */
class Strings {
    String name; String[] parts = new String[4]; char[] letters; int hash; Object found;

    public static void main(String[] args) {
        Strings s = new Strings();
        s.name = "alpha,beta";
        s.parts[0] = s.name.substring(0, 5);
        s.parts[1] = s.name.substring(6);
        s.parts[2] = s.parts[0].concat(s.parts[1]);
        s.parts[3] = new String(s.parts[1]);
        s.letters = s.parts[3].toCharArray();
        s.hash = s.parts[2].hashCode();
        s.found = s.parts[1].equals(s.parts[3]) ? s.parts[1] : s.name;
        StringBuilder builder = new StringBuilder();
        for (char c : s.letters) builder.append(c).append(s.letters.length);
        s.parts[0] = builder.toString();
        String same = s.parts[3].intern();
        System.out.println(s.parts[0] + s.hash + s.name.indexOf("beta") + same.length());
    }
}
