package office;

import java.io.StringReader;
import java.io.StringWriter;
import java.util.Random;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.parsers.SAXParserFactory;
import javax.xml.transform.OutputKeys;
import javax.xml.transform.Transformer;
import javax.xml.transform.TransformerFactory;
import javax.xml.transform.dom.DOMSource;
import javax.xml.transform.stream.StreamResult;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.Attributes;
import org.xml.sax.InputSource;
import org.xml.sax.helpers.DefaultHandler;

/** A feed of news: built as a document, written, and read again. */
public final class Feeds {
    private Feeds() {}

    public static String feed(int round, int entries) throws Exception {
        Random random = new Random(round);
        Document document = DocumentBuilderFactory.newInstance().newDocumentBuilder().newDocument();
        Element root = document.createElement("feed");
        document.appendChild(root);
        for (int number = 0; number < entries; number++) {
            Element entry = document.createElement("entry");
            entry.setAttribute("id", "n" + number);
            entry.setAttribute("lang", random.nextBoolean() ? "en" : "fi");
            Element title = document.createElement("title");
            title.setTextContent("News about <" + random.nextInt(900) + "> & more");
            Element body = document.createElement("body");
            body.setTextContent(Letters.letter(random));
            entry.appendChild(title);
            entry.appendChild(body);
            root.appendChild(entry);
        }
        Transformer transformer = TransformerFactory.newInstance().newTransformer();
        transformer.setOutputProperty(OutputKeys.INDENT, "yes");
        StringWriter text = new StringWriter();
        transformer.transform(new DOMSource(document), new StreamResult(text));
        return text.toString();
    }

    public static long run(int round) {
        try {
            Counter counter = new Counter();
            String text = feed(round, 30);
            SAXParserFactory.newInstance().newSAXParser().parse(new InputSource(new StringReader(text)), counter);
            return counter.elements * 31L + counter.characters;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class Counter extends DefaultHandler {
        int elements;
        int characters;

        @Override
        public void startElement(String uri, String local, String name, Attributes attributes) {
            elements += 1 + attributes.getLength();
        }

        @Override
        public void characters(char[] text, int start, int length) {
            characters += length;
        }
    }
}
