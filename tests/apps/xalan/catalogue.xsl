<?xml version="1.0" encoding="UTF-8"?>
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">
  <xsl:output method="html" encoding="UTF-8" indent="yes"/>
  <xsl:key name="by-shelf" match="book" use="@shelf"/>
  <xsl:key name="by-author" match="book" use="author"/>
  <xsl:param name="old" select="1900"/>

  <xsl:template match="/catalogue">
    <html>
      <head><title>Catalogue of <xsl:value-of select="count(book)"/> books</title></head>
      <body>
        <!-- One section per shelf, by the first book that stands there. -->
        <xsl:for-each select="book[generate-id() = generate-id(key('by-shelf', @shelf)[1])]">
          <xsl:sort select="@shelf"/>
          <h2>
            <xsl:number value="position()" format="I. "/>
            <xsl:text>Shelf </xsl:text>
            <xsl:value-of select="@shelf"/>
          </h2>
          <table>
            <xsl:apply-templates select="key('by-shelf', @shelf)">
              <xsl:sort select="@year" data-type="number" order="descending"/>
              <xsl:sort select="title"/>
            </xsl:apply-templates>
          </table>
          <p>
            <xsl:text>Pages in all: </xsl:text>
            <xsl:value-of select="format-number(sum(key('by-shelf', @shelf)/pages), '#,##0')"/>
            <xsl:text>, mean price </xsl:text>
            <xsl:value-of select="format-number(sum(key('by-shelf', @shelf)/price)
                                  div count(key('by-shelf', @shelf)), '0.00')"/>
          </p>
        </xsl:for-each>
        <h2>Authors</h2>
        <ul><xsl:call-template name="authors"/></ul>
      </body>
    </html>
  </xsl:template>

  <xsl:template match="book">
    <tr>
      <xsl:attribute name="class">
        <xsl:choose>
          <xsl:when test="@year &lt; $old">old</xsl:when>
          <xsl:when test="pages &gt; 600">thick</xsl:when>
          <xsl:otherwise>plain</xsl:otherwise>
        </xsl:choose>
      </xsl:attribute>
      <td><xsl:number level="any" count="book" format="1."/></td>
      <td>
        <b><xsl:call-template name="capitals"><xsl:with-param name="text" select="title"/></xsl:call-template></b>
        <xsl:for-each select="author">
          <xsl:if test="position() &gt; 1">, </xsl:if>
          <a href="#{translate(., ' ', '-')}"><xsl:value-of select="."/></a>
        </xsl:for-each>
      </td>
      <td><xsl:apply-templates select="abstract/p"/></td>
      <td><xsl:apply-templates select="price"/></td>
    </tr>
  </xsl:template>

  <xsl:template match="price[@currency = 'EUR']">&#8364; <xsl:value-of select="."/></xsl:template>
  <xsl:template match="price">CHF <xsl:value-of select="."/></xsl:template>
  <xsl:template match="p"><p><xsl:apply-templates/></p></xsl:template>
  <xsl:template match="em"><i><xsl:value-of select="normalize-space(.)"/></i></xsl:template>

  <!-- Writes a text with capitals, word by word: a recursive template. -->
  <xsl:template name="capitals">
    <xsl:param name="text"/>
    <xsl:variable name="word" select="substring-before(concat($text, ' '), ' ')"/>
    <xsl:value-of select="translate(substring($word, 1, 1),
                          'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')"/>
    <xsl:value-of select="substring($word, 2)"/>
    <xsl:if test="contains($text, ' ')">
      <xsl:text> </xsl:text>
      <xsl:call-template name="capitals">
        <xsl:with-param name="text" select="substring-after($text, ' ')"/>
      </xsl:call-template>
    </xsl:if>
  </xsl:template>

  <xsl:template name="authors">
    <xsl:for-each select="//author[not(. = preceding::author)]">
      <xsl:sort select="."/>
      <li id="{translate(., ' ', '-')}">
        <xsl:value-of select="."/>
        <xsl:text>: </xsl:text>
        <xsl:value-of select="count(key('by-author', .))"/>
        <xsl:text> books, first </xsl:text>
        <xsl:for-each select="key('by-author', .)">
          <xsl:sort select="@year" data-type="number"/>
          <xsl:if test="position() = 1"><xsl:value-of select="@year"/></xsl:if>
        </xsl:for-each>
      </li>
    </xsl:for-each>
  </xsl:template>
</xsl:stylesheet>
