package apps.lucene;

import apps.App;
import apps.Digest;
import apps.Size;
import java.io.IOException;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.LeafReader;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.PostingsEnum;
import org.apache.lucene.index.TermsEnum;
import org.apache.lucene.search.DocIdSetIterator;
import org.apache.lucene.store.Directory;
import org.apache.lucene.util.BytesRef;

/** Lucene indexes documents; the digest covers every term with its documents and frequencies. */
public final class Indexing implements App {
    @Override
    public String name() {
        return "lucene-index";
    }

    @Override
    public String iterate(Size size) throws IOException {
        Library.settle();
        Digest digest = new Digest();
        try (Directory directory = Library.index(size.of(800, 11_000));
                DirectoryReader reader = DirectoryReader.open(directory)) {
            digest.add(reader.numDocs());
            for (LeafReaderContext leaf : reader.leaves()) {
                addTerms(leaf.reader(), "title", digest);
                addTerms(leaf.reader(), "body", digest);
            }
        }
        return digest.text();
    }

    private static void addTerms(LeafReader reader, String field, Digest digest) throws IOException {
        TermsEnum terms = reader.terms(field).iterator();
        PostingsEnum postings = null;
        for (BytesRef term = terms.next(); term != null; term = terms.next()) {
            digest.write(term.bytes, term.offset, term.length);
            postings = terms.postings(postings, PostingsEnum.FREQS);
            while (postings.nextDoc() != DocIdSetIterator.NO_MORE_DOCS) {
                digest.add(postings.docID());
                digest.add(postings.freq());
            }
        }
    }
}
