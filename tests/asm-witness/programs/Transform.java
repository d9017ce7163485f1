import java.io.StringReader;
import java.io.StringWriter;
import javax.xml.transform.Templates;
import javax.xml.transform.stream.StreamResult;
import javax.xml.transform.stream.StreamSource;
import org.apache.xalan.processor.TransformerFactoryImpl;

/** Xalan sorts, groups and numbers the books of two small catalogues. Prints what comes out. */
public class Transform {
    private static final String SHEET = """
            <xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
              <xsl:output method="html" indent="yes"/>
              <xsl:key name="of" match="book" use="@shelf"/>
              <xsl:param name="least" select="20"/>
              <xsl:variable name="all" select="count(//book)"/>
              <xsl:template match="/">
                <html><body>
                  <xsl:for-each select="//book[generate-id() = generate-id(key('of', @shelf)[1])]">
                    <xsl:sort select="@shelf"/>
                    <h1><xsl:number value="position()" format="I. "/><xsl:value-of select="@shelf"/></h1>
                    <xsl:apply-templates select="key('of', @shelf)">
                      <xsl:sort select="price" data-type="number" order="descending"/>
                      <xsl:sort select="title"/>
                    </xsl:apply-templates>
                  </xsl:for-each>
                  <p><xsl:value-of select="format-number(sum(//price) div $all, '#,##0.00')"/></p>
                </body></html>
              </xsl:template>
              <xsl:template match="book">
                <xsl:choose>
                  <xsl:when test="price &gt; $least and contains(title, 'a')"><b><xsl:call-template name="line"/></b></xsl:when>
                  <xsl:otherwise><xsl:call-template name="line"/></xsl:otherwise>
                </xsl:choose>
              </xsl:template>
              <xsl:template name="line">
                <xsl:value-of select="concat(translate(title, 'abc', 'ABC'), ' (', @year, ')')"/>
                <xsl:if test="position() != last()">, </xsl:if>
              </xsl:template>
            </xsl:stylesheet>
            """;

    public static void main(String[] args) throws Exception {
        Templates sheet = new TransformerFactoryImpl().newTemplates(new StreamSource(new StringReader(SHEET)));
        for (int seed = 1; seed <= 2; seed++) {
            StringWriter out = new StringWriter();
            sheet.newTransformer().transform(new StreamSource(new StringReader(catalogue(seed))), new StreamResult(out));
            System.out.println(out);
        }
    }

    private static String catalogue(int seed) {
        StringBuilder xml = new StringBuilder("<catalogue>");
        for (int i = 0; i < 40; i++) {
            int number = i * 37 * seed % 101;
            xml.append("<book year='").append(1900 + number).append("' shelf='").append((char) ('A' + number % 6));
            xml.append("'><title>").append("abacus deed fig".substring(number % 9)).append(number % 5);
            xml.append("</title><price>").append(number).append('.').append(i).append("</price></book>");
        }
        return xml.append("</catalogue>").toString();
    }
}
