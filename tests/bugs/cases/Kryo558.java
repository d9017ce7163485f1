package app;

import com.esotericsoftware.kryo.Kryo;
import com.esotericsoftware.kryo.io.Input;
import com.esotericsoftware.kryo.io.Output;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import office.Office;

/** A branch sends the catalogue in the morning and then each sale, by Kryo. */
public final class Kryo558 {
    /** An article of the catalogue. */
    public static final class Article {
        public int number;
        public String name;
        public String group;
        public long price;
    }

    /** Articles that were sold together. */
    public static final class Sale {
        public int number;
        public String clerk;
        public List<Article> articles = new ArrayList<>();
        public long sum;
    }

    private final Kryo kryo = new Kryo();
    private final Output output = new Output(4_096, -1);

    public static void main(String[] arguments) {
        Kryo558 branch = new Kryo558();
        int days = Office.days(arguments, 5);
        for (int day = 0; day < days; day++) {
            Office.morning(day);
            Office.add(branch.day(new Random(day)));
            Office.afternoon(day);
        }
        Office.close();
    }

    private long day(Random random) {
        ArrayList<Article> catalogue = new ArrayList<>();
        for (int number = 0; number < 1_800; number++) {
            Article article = new Article();
            article.number = number;
            article.name = "article " + random.nextInt(9_999);
            article.group = "group " + number % 30;
            article.price = 100 + random.nextInt(9_000);
            catalogue.add(article);
        }
        long sum = send(catalogue).length;
        for (int number = 0; number < 90; number++) {
            Sale sale = new Sale();
            sale.number = number;
            sale.clerk = "clerk " + random.nextInt(9);
            for (int article = 1 + random.nextInt(6); article > 0; article--) {
                sale.articles.add(catalogue.get(random.nextInt(catalogue.size())));
            }
            for (Article article : sale.articles) {
                sale.sum += article.price;
            }
            Sale received = (Sale) kryo.readClassAndObject(new Input(send(sale)));
            sum = sum * 31 + received.sum + received.articles.size() + received.clerk.hashCode();
        }
        return sum;
    }

    private byte[] send(Object message) {
        output.clear();
        kryo.writeClassAndObject(output, message);
        return output.toBytes();
    }
}
