package apps.lucene;

import apps.Words;
import java.io.IOException;
import java.util.logging.LogManager;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.NumericDocValuesField;
import org.apache.lucene.document.StringField;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;

/** Documents of made-up text, and their index in memory. */
final class Library {
    private static final int DOCUMENTS_PER_SEGMENT = 400;

    private Library() {}

    /**
     * Makes Lucene behave the same in every run. It must come before any
     * other class of Lucene is used.
     */
    static void settle() {
        // Lucene logs on standard error that it could use the vector module.
        LogManager.getLogManager().reset();
        // Its hash tables are seeded by the clock unless tests fix the seed.
        System.setProperty("tests.seed", "5eed");
    }

    /** Indexes so many documents in this thread. */
    static Directory index(int documents) throws IOException {
        IndexWriterConfig config = new IndexWriterConfig(new EnglishAnalyzer());
        config.setMergeScheduler(new SerialMergeScheduler());
        // Flush by number of documents: memory estimates depend on the JVM.
        config.setMaxBufferedDocs(DOCUMENTS_PER_SEGMENT);
        config.setRAMBufferSizeMB(IndexWriterConfig.DISABLE_AUTO_FLUSH);

        Directory directory = new ByteBuffersDirectory();
        Words words = new Words(5, 20_000);
        try (IndexWriter writer = new IndexWriter(directory, config)) {
            for (int i = 0; i < documents; i++) {
                Document document = new Document();
                document.add(new StringField("id", "d" + i, Field.Store.YES));
                document.add(new TextField("title", words.sentence(5), Field.Store.YES));
                document.add(new NumericDocValuesField("year", 1900 + words.number(120)));
                StringBuilder body = new StringBuilder();
                for (int s = 10 + words.number(20); s > 0; s--) {
                    body.append(words.sentence(6 + words.number(10))).append(' ');
                }
                document.add(new TextField("body", body.toString(), Field.Store.NO));
                writer.addDocument(document);
            }
            writer.forceMerge(1);
        }
        return directory;
    }
}
