/** A small class that is put into jars and archives of classes. */
public final class Greeting {
    public static void main(String[] args) {
        System.out.println(new Greeting());
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (char letter = 'a'; letter < 'g'; letter++) {
            text.append(letter);
        }
        return text.reverse().toString();
    }
}
