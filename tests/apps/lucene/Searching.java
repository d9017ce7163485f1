package apps.lucene;

import apps.App;
import apps.Digest;
import apps.Size;
import apps.Words;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.Sort;
import org.apache.lucene.search.SortField;
import org.apache.lucene.search.TopDocs;

/** Four threads search one Lucene index: terms, phrases, wildcards, fuzzy terms, sorting. */
public final class Searching implements App {
    private static final int THREADS = 4;
    private static final int VOCABULARY = 20_000;
    private static final int HITS = 20;

    private ExecutorService workers;
    private IndexSearcher searcher;
    private List<String> queries;

    @Override
    public String name() {
        return "lucene-search";
    }

    @Override
    public void prepare(Size size) throws Exception {
        Library.settle();
        searcher = new IndexSearcher(DirectoryReader.open(Library.index(size.of(800, 6_000))));
        // With the cache, later iterations would do less than earlier ones.
        searcher.setQueryCache(null);
        queries = queries(size.of(400, 4_000));
        workers = Executors.newFixedThreadPool(THREADS);
    }

    @Override
    public String iterate(Size size) throws Exception {
        List<Future<String>> results = new ArrayList<>();
        for (String query : queries) {
            results.add(workers.submit(() -> search(query)));
        }
        Digest digest = new Digest();
        for (Future<String> result : results) {
            digest.add(result.get());
        }
        return digest.text();
    }

    private static List<String> queries(int count) {
        Words words = new Words(77, VOCABULARY);
        List<String> queries = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String a = words.next();
            String b = words.next();
            queries.add(switch (i % 6) {
                case 0 -> "body:" + a + " AND title:" + b;
                case 1 -> "body:\"" + a + " " + b + "\"~6";
                case 2 -> "body:" + a.substring(0, Math.min(3, a.length())) + "* -title:" + b;
                case 3 -> "title:" + a + "~1 OR body:" + b + "^2.5";
                case 4 -> "+body:" + a + " +body:" + b + " title:" + words.next();
                default -> "title:[" + a + " TO " + a + "zz] OR body:" + b;
            });
        }
        return queries;
    }

    private String search(String text) throws Exception {
        // A parser belongs to one thread, so every search makes its own.
        var query = new QueryParser("body", new EnglishAnalyzer()).parse(text);
        Digest digest = new Digest();
        add(searcher.search(query, HITS), digest);
        Sort byYear = new Sort(new SortField("year", SortField.Type.LONG, true), SortField.FIELD_DOC);
        add(searcher.search(query, HITS, byYear), digest);
        return digest.text();
    }

    private void add(TopDocs hits, Digest digest) throws Exception {
        digest.add((int) hits.totalHits.value);
        for (ScoreDoc hit : hits.scoreDocs) {
            digest.add(searcher.storedFields().document(hit.doc).get("title"));
            digest.add(Float.floatToIntBits(hit.score));
        }
    }
}
