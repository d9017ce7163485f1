package apps.fop;

import apps.App;
import apps.Digest;
import apps.Size;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Date;
import javax.xml.parsers.SAXParserFactory;
import org.apache.fop.apps.FOUserAgent;
import org.apache.fop.apps.Fop;
import org.apache.fop.apps.FopConfParser;
import org.apache.fop.apps.FopFactory;
import org.apache.fop.apps.MimeConstants;

/** Apache FOP sets the bundled handbook and writes it as PDF and as PostScript. */
public final class Rendering implements App {
    private static final Date CREATED = new Date(0);

    /**
     * PDF streams are left as they are, because compressed bytes depend on
     * the platform's zlib, and carry no colour profile, in which the JDK
     * names its platform; fonts of the machine are not looked for.
     */
    private static final String CONFIGURATION = "<fop version='1.0'><renderers>"
            + "<renderer mime='application/pdf'><filterList><value>null</value></filterList>"
            + "<disable-srgb-colorspace>true</disable-srgb-colorspace></renderer>"
            + "<renderer mime='application/postscript'/></renderers></fop>";

    @Override
    public String name() {
        return "fop";
    }

    @Override
    public void prepare(Size size) {
        System.setProperty("java.awt.headless", "true");
        System.setProperty("org.apache.commons.logging.Log", "org.apache.commons.logging.impl.NoOpLog");
    }

    @Override
    public String iterate(Size size) throws Exception {
        FopFactory factory = new FopConfParser(
                new ByteArrayInputStream(CONFIGURATION.getBytes(StandardCharsets.UTF_8)),
                Path.of("").toUri()).getFopFactoryBuilder().build();
        Digest digest = new Digest();
        for (int i = 0; i < size.of(1, 14); i++) {
            // FOP takes some things from the clock whatever it is told.
            String pdf = render(factory, MimeConstants.MIME_PDF);
            digest.add(without(without(pdf, "<xmp:MetadataDate>", "<"), "/ID [", "]"));
            String postScript = render(factory, MimeConstants.MIME_POSTSCRIPT);
            digest.add(without(postScript, "%%CreationDate:", "\n"));
        }
        return digest.text();
    }

    /** The rendered handbook, one character for each byte. */
    private static String render(FopFactory factory, String mime) throws Exception {
        FOUserAgent agent = factory.newFOUserAgent();
        agent.setCreationDate(CREATED);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Fop fop = factory.newFop(mime, agent, out);
        try (InputStream handbook = Rendering.class.getResourceAsStream("/handbook.fo")) {
            // Not through an identity transformation: FOP starts one itself
            // while it reads, which JDK 25 refuses as a nested use.
            SAXParserFactory parsers = SAXParserFactory.newInstance();
            parsers.setNamespaceAware(true);
            parsers.newSAXParser().parse(handbook, fop.getDefaultHandler());
        }
        return out.toString(StandardCharsets.ISO_8859_1);
    }

    /** The text without what stands between the last such start and the next such end. */
    private static String without(String text, String start, String end) {
        int from = text.lastIndexOf(start) + start.length();
        return text.substring(0, from) + text.substring(text.indexOf(end, from));
    }
}
