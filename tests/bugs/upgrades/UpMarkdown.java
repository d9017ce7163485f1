package app;

import java.util.Random;
import office.Letters;
import office.Office;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.Emphasis;
import org.commonmark.node.Link;
import org.commonmark.node.ListItem;
import org.commonmark.node.Paragraph;
import org.commonmark.node.StrongEmphasis;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;

/** Minutes of meetings, written in Markdown, are read. */
public final class UpMarkdown {
    private static final Parser PARSER = Parser.builder().build();

    public static void main(String[] arguments) {
        int days = Office.days(arguments, 30);
        for (int day = 0; day < days; day++) {
            Random random = new Random(day);
            for (int meeting = 0; meeting < 5; meeting++) {
                Counts counts = new Counts();
                PARSER.parse(minutes(random)).accept(counts);
                Office.add(counts.characters + 31L * counts.nodes);
            }
        }
        Office.close();
    }

    private static String minutes(Random random) {
        StringBuilder text = new StringBuilder("# Meeting of the *board*\n\n");
        for (int topic = 1; topic < 12; topic++) {
            text.append("## ").append(topic).append(". Topic\n\n").append(marked(Letters.letter(random), random)).append("\n\n");
            for (int point = 0; point < 5; point++) {
                text.append("- point **").append(point).append("**: see [the list](http://lists.example.org/");
                text.append(random.nextInt(900)).append(" \"a list\") and `code ").append(random.nextInt(90)).append("`\n");
                text.append("  1. first, said _clerk ").append(random.nextInt(30)).append("_\n  2. second &amp; last\n");
            }
            text.append("\n> ").append(Letters.letter(random).strip().replace("\n", "\n> ")).append("\n\n");
            text.append("    figures: ").append(random.nextInt()).append("\n\n```\n").append(random.nextLong()).append("\n```\n\n");
        }
        return text.toString();
    }

    /** Some words are emphasized, some have characters that mark something else. */
    private static String marked(String letter, Random random) {
        StringBuilder text = new StringBuilder();
        for (String word : letter.split(" ")) {
            text.append(switch (random.nextInt(12)) {
                case 0 -> "*" + word + "*";
                case 1 -> "**" + word + "**";
                case 2 -> word + "\\_x";
                case 3 -> "![" + word + "](picture.png)";
                default -> word;
            }).append(' ');
        }
        return text.toString();
    }

    /** What is in a document. */
    private static final class Counts extends AbstractVisitor {
        private long nodes;
        private long characters;

        @Override
        public void visit(Text text) {
            characters += text.getLiteral().length();
        }

        @Override
        public void visit(Code code) {
            nodes++;
            characters += code.getLiteral().length();
        }

        @Override
        public void visit(Link link) {
            nodes++;
            characters += link.getDestination().length();
            visitChildren(link);
        }

        @Override
        public void visit(Emphasis emphasis) {
            nodes++;
            visitChildren(emphasis);
        }

        @Override
        public void visit(StrongEmphasis emphasis) {
            nodes++;
            visitChildren(emphasis);
        }

        @Override
        public void visit(Paragraph paragraph) {
            nodes++;
            visitChildren(paragraph);
        }

        @Override
        public void visit(ListItem item) {
            nodes++;
            visitChildren(item);
        }
    }
}
