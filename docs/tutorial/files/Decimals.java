package org.apache.xmlgraphics.ps;

import java.text.NumberFormat;

/** Formats numbers as {@code 0.###} does, without the general machinery behind it. */
final class Decimals {
    private static final long[] POWERS = {1, 10, 100, 1000, 10000, 100000};

    private Decimals() {
    }

    /** The number with at most so many digits behind the point; {@code general} takes hard cases. */
    static String format(double value, int digits, NumberFormat general) {
        double scaled = Math.abs(value) * POWERS[digits];
        long rounded = (long) scaled;
        double rest = scaled - rounded;
        // Half-way cases depend on digits that the multiplication has lost.
        if (!(scaled < 1e12) || Math.abs(rest - 0.5) < 1e-3) {
            return general.format(value);
        }
        if (rest > 0.5) {
            rounded++;
        }
        boolean negative = value < 0 || (value == 0 && 1 / value < 0);
        if (rounded % POWERS[digits] == 0) {
            String whole = Long.toString(rounded / POWERS[digits]);
            return negative ? "-".concat(whole) : whole;
        }
        while (rounded % 10 == 0) {
            rounded /= 10;
            digits--;
        }
        char[] text = new char[24];
        int at = text.length;
        for (int i = 0; rounded != 0 || i <= digits; i++) {
            if (i == digits) {
                text[--at] = '.';
            }
            text[--at] = (char) ('0' + rounded % 10);
            rounded /= 10;
        }
        if (negative) {
            text[--at] = '-';
        }
        return new String(text, at, text.length - at);
    }
}
