package secondwitness;

/**
 * A method that is rewritten.
 *
 * @param line class, name and descriptor, with tabs between them
 */
public record Method(String line, boolean isStatic) {
    private char result() {
        return line.charAt(line.lastIndexOf(')') + 1);
    }

    boolean returnsNothing() {
        return result() == 'V';
    }

    boolean returnsReference() {
        return result() == 'L' || result() == '[';
    }

    boolean returnsFraction() {
        return result() == 'F' || result() == 'D';
    }
}
