import java.util.ArrayList;
import java.util.List;

/** Looks at prices that nobody set: nulls that a recording of nulls follows. */
public final class MissesPrices {
    static final class Article {
        Integer price;
    }

    public static void main(String[] args) {
        List<Article> articles = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            articles.add(new Article());
        }
        int missing = 0;
        for (Article article : articles) {
            article.price = priceOf(article);
            try {
                missing += article.price.intValue();
            } catch (NullPointerException expected) {
                missing++;
            }
        }
        System.out.println(missing + " articles without a price");
    }

    private static Integer priceOf(Article article) {
        return null;
    }
}
