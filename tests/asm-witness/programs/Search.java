import java.io.IOException;
import java.util.Map;
import java.util.logging.LogManager;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.codecs.Codec;
import org.apache.lucene.codecs.FilterCodec;
import org.apache.lucene.codecs.SegmentInfoFormat;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SegmentInfo;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.IOContext;

/** Lucene indexes forty documents and searches them in several ways. Prints what it finds. */
public class Search {
    private static final String[] WORDS = {
        "oak", "elm", "river", "stone", "bridges", "running", "quietly", "light", "amber", "harbours"
    };

    /** Those of many terms are no parts of others: their hash is that of an object, so their place in hash tables. */
    private static final String[] QUERIES = {
        "body:oak AND title:river", "body:\"stone bridges\"~3", "body:ri*", "body:oak -title:elm", "body:strone~1",
        "body:amber^2.5 OR title:stone", "+body:light +title:harbour body:oak", "title:[amber TO oak]", "body:nowhere",
        "body:oak AND title:river",
    };

    public static void main(String[] args) throws Exception {
        LogManager.getLogManager().reset();
        System.setProperty("tests.seed", "5eed");
        IndexWriterConfig config = new IndexWriterConfig(new EnglishAnalyzer());
        config.setCodec(new WithoutDiagnostics());
        config.setMergeScheduler(new SerialMergeScheduler());
        config.setMaxBufferedDocs(15);
        config.setRAMBufferSizeMB(IndexWriterConfig.DISABLE_AUTO_FLUSH);
        ByteBuffersDirectory directory = new ByteBuffersDirectory();
        try (IndexWriter writer = new IndexWriter(directory, config)) {
            for (int i = 0; i < 40; i++) {
                Document document = new Document();
                document.add(new StringField("id", "d" + i, Field.Store.YES));
                document.add(new TextField("title", sentence(i, 3), Field.Store.YES));
                document.add(new NumericDocValuesField("year", 1900 + i * 37 % 101));
                document.add(new TextField("body", sentence(i * 7, 9), Field.Store.NO));
                writer.addDocument(document);
            }
        }
        try (DirectoryReader reader = DirectoryReader.open(directory)) {
            IndexSearcher searcher = new IndexSearcher(reader);
            // Its hash tables would differ with the identity hashes of what they hold.
            searcher.setQueryCache(null);
            for (String text : QUERIES) {
                Query query = new QueryParser("body", new EnglishAnalyzer()).parse(text);
                print(searcher, searcher.search(query, 5).scoreDocs);
                Sort byYear = new Sort(new SortField("year", SortField.Type.LONG, true), SortField.FIELD_DOC);
                print(searcher, searcher.search(query, 5, byYear).scoreDocs);
            }
        }
    }

    /**
     * Leaves out of the index what Lucene writes of its origin: maps of java.util, whose order is not the same
     * in every run.
     */
    private static final class WithoutDiagnostics extends FilterCodec {
        WithoutDiagnostics() {
            super(Codec.getDefault().getName(), Codec.getDefault());
        }

        @Override
        public SegmentInfoFormat segmentInfoFormat() {
            SegmentInfoFormat usual = super.segmentInfoFormat();
            return new SegmentInfoFormat() {
                @Override
                public SegmentInfo read(Directory directory, String name, byte[] id, IOContext context)
                        throws IOException {
                    return usual.read(directory, name, id, context);
                }

                @Override
                public void write(Directory directory, SegmentInfo info, IOContext context) throws IOException {
                    SegmentInfo plain = new SegmentInfo(directory, info.getVersion(), info.getMinVersion(), info.name,
                            info.maxDoc(), info.getUseCompoundFile(), info.getHasBlocks(), info.getCodec(), Map.of(),
                            info.getId(), info.getAttributes(), info.getIndexSort());
                    plain.setFiles(info.files());
                    usual.write(directory, plain, context);
                    info.setFiles(plain.files());
                }
            };
        }
    }

    private static void print(IndexSearcher searcher, ScoreDoc[] found) throws Exception {
        for (ScoreDoc one : found) {
            System.out.print(searcher.storedFields().document(one.doc).get("title") + " " + one.score + "; ");
        }
        System.out.println();
    }

    private static String sentence(int seed, int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append(WORDS[(seed * seed + i * (seed + 3)) % WORDS.length]).append(' ');
        }
        return text.toString();
    }
}
