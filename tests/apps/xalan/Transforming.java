package apps.xalan;

import apps.App;
import apps.Digest;
import apps.Size;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import javax.xml.transform.Templates;
import javax.xml.transform.TransformerException;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;
import org.apache.xalan.processor.TransformerFactoryImpl;

/** Xalan turns catalogues into HTML with a stylesheet that sorts, groups and numbers. */
public final class Transforming implements App {
    private String[] documents;

    @Override
    public String name() {
        return "xalan";
    }

    @Override
    public void prepare(Size size) {
        documents = new String[size.of(2, 26)];
        for (int i = 0; i < documents.length; i++) {
            documents[i] = Catalogue.xml(100 + i, 220);
        }
    }

    @Override
    public String iterate(Size size) throws IOException, TransformerException {
        Digest digest = new Digest();
        for (String document : documents) {
            transform(stylesheet(), document, digest);
        }
        return digest.text();
    }

    /** Compiles the bundled stylesheet; the result may be used by several threads. */
    static Templates stylesheet() throws IOException, TransformerException {
        // Named outright, because the platform's own XSLT processor would be
        // the answer of TransformerFactory.newInstance() on some class paths.
        try (InputStream xsl = Transforming.class.getResourceAsStream("/catalogue.xsl")) {
            return new TransformerFactoryImpl().newTemplates(new StreamSource(xsl));
        }
    }

    static void transform(Templates stylesheet, String document, Digest digest) throws TransformerException {
        stylesheet.newTransformer()
                .transform(new StreamSource(new StringReader(document)), new StreamResult(digest));
    }
}
