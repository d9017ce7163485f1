package apps.xalan;

import apps.Words;

/** Writes the XML that is transformed: a library catalogue with made-up entries. */
final class Catalogue {
    private Catalogue() {}

    /** A catalogue of so many books; the same for the same seed. */
    static String xml(long seed, int books) {
        Words words = new Words(seed, 2_000);
        StringBuilder xml = new StringBuilder("<catalogue>\n");
        for (int i = 0; i < books; i++) {
            xml.append("<book id='b").append(i).append("' year='").append(1850 + words.number(170))
                    .append("' shelf='").append((char) ('A' + words.number(20))).append("'>\n");
            xml.append("<title>").append(words.sentence(4)).append("</title>");
            for (int author = words.number(3); author >= 0; author--) {
                xml.append("<author>").append(words.word(words.number(60))).append("</author>");
            }
            xml.append("<pages>").append(40 + words.number(900)).append("</pages>");
            xml.append("<price currency='").append(words.number(4) == 0 ? "EUR" : "CHF").append("'>")
                    .append(words.number(90)).append('.').append(10 + words.number(90)).append("</price>");
            xml.append("<abstract>");
            for (int paragraph = 1 + words.number(3); paragraph > 0; paragraph--) {
                xml.append("<p>").append(words.sentence(12)).append(" <em>").append(words.sentence(2))
                        .append("</em> ").append(words.sentence(9)).append("</p>");
            }
            xml.append("</abstract>\n</book>\n");
        }
        return xml.append("</catalogue>\n").toString();
    }
}
