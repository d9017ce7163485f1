/** A small class that is put into a signed jar. */
public final class Greeting {
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (char letter = 'a'; letter < 'g'; letter++) {
            text.append(letter);
        }
        return text.reverse().toString();
    }
}
