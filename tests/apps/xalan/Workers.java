package apps.xalan;

import apps.App;
import apps.Digest;
import apps.Size;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.xml.transform.Templates;

/** The same transformations by four threads, which share the compiled stylesheet. */
public final class Workers implements App {
    private static final int THREADS = 4;

    private String[] documents;
    private ExecutorService workers;

    @Override
    public String name() {
        return "xalan-threads";
    }

    @Override
    public void prepare(Size size) {
        documents = new String[size.of(8, 130)];
        for (int i = 0; i < documents.length; i++) {
            documents[i] = Catalogue.xml(900 + i, 120);
        }
        workers = Executors.newFixedThreadPool(THREADS);
    }

    @Override
    public String iterate(Size size) throws Exception {
        Templates stylesheet = Transforming.stylesheet();
        List<Future<String>> results = new ArrayList<>();
        for (String document : documents) {
            results.add(workers.submit(() -> {
                Digest digest = new Digest();
                Transforming.transform(stylesheet, document, digest);
                return digest.text();
            }));
        }
        // Collected in the order of submission: which thread was faster must
        // not show in the result.
        Digest digest = new Digest();
        for (Future<String> result : results) {
            digest.add(result.get());
        }
        return digest.text();
    }
}
