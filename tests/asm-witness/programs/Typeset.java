import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Date;
import javax.xml.parsers.SAXParserFactory;
import org.apache.fop.apps.FOUserAgent;
import org.apache.fop.apps.Fop;
import org.apache.fop.apps.FopConfParser;
import org.apache.fop.apps.FopFactory;

/** Apache FOP sets two pages with a table, a list and fonts, and writes them as PDF. Prints how long that is. */
public class Typeset {
    private static final String CONFIGURATION = "<fop version='1.0'><renderers>"
            + "<renderer mime='application/pdf'><filterList><value>null</value></filterList>"
            + "<disable-srgb-colorspace>true</disable-srgb-colorspace></renderer></renderers></fop>";

    public static void main(String[] args) throws Exception {
        System.setProperty("java.awt.headless", "true");
        System.setProperty("org.apache.commons.logging.Log", "org.apache.commons.logging.impl.NoOpLog");
        FopFactory factory = new FopConfParser(bytes(CONFIGURATION), Path.of("").toUri()).getFopFactoryBuilder().build();
        FOUserAgent agent = factory.newFOUserAgent();
        agent.setCreationDate(new Date(0));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Fop fop = factory.newFop("application/pdf", agent, out);
        SAXParserFactory parsers = SAXParserFactory.newInstance();
        parsers.setNamespaceAware(true);
        parsers.newSAXParser().parse(bytes(document()), fop.getDefaultHandler());
        System.out.println(fop.getResults().getPageCount());
    }

    private static ByteArrayInputStream bytes(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String document() {
        StringBuilder text = new StringBuilder("""
                <fo:root xmlns:fo="http://www.w3.org/1999/XSL/Format">
                  <fo:layout-master-set>
                    <fo:simple-page-master master-name="a" page-width="14cm" page-height="12cm" margin="1cm">
                      <fo:region-body margin-top="1cm"/><fo:region-before extent="1cm"/>
                    </fo:simple-page-master>
                  </fo:layout-master-set>
                  <fo:page-sequence master-reference="a">
                    <fo:static-content flow-name="xsl-region-before">
                      <fo:block text-align="end"><fo:page-number/></fo:block>
                    </fo:static-content>
                    <fo:flow flow-name="xsl-region-body">
                """);
        for (int i = 0; i < 4; i++) {
            text.append("<fo:block space-after='4pt' text-align='justify' hyphenate='false' font-family='")
                    .append(i % 2 == 0 ? "serif" : "sans-serif").append("' font-size='").append(9 + i % 3)
                    .append("pt'>Of lines <fo:inline font-weight='bold'>that are").append(i)
                    .append("</fo:inline> broken where they fit, and of pages that end where they must.</fo:block>");
        }
        text.append("<fo:table table-layout='fixed' width='100%'><fo:table-column column-width='3cm'/>")
                .append("<fo:table-column column-width='4cm'/><fo:table-body>");
        for (int i = 0; i < 3; i++) {
            text.append("<fo:table-row><fo:table-cell border='1pt solid #336699'><fo:block>").append(i)
                    .append("</fo:block></fo:table-cell><fo:table-cell background-color='silver'><fo:block>")
                    .append("cell</fo:block></fo:table-cell></fo:table-row>");
        }
        return text.append("</fo:table-body></fo:table></fo:flow></fo:page-sequence></fo:root>").toString();
    }
}
