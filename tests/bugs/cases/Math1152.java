package app;

import java.util.ArrayList;
import java.util.List;
import office.Office;
import org.apache.commons.math3.distribution.EnumeratedDistribution;
import org.apache.commons.math3.random.Well19937c;
import org.apache.commons.math3.stat.descriptive.SummaryStatistics;
import org.apache.commons.math3.stat.regression.SimpleRegression;
import org.apache.commons.math3.util.Pair;

/** A warehouse is tried out with orders drawn by how often articles were sold. */
public final class Math1152 {
    public static void main(String[] arguments) {
        int days = Office.days(arguments, 5);
        for (int day = 0; day < days; day++) {
            Office.morning(day);
            Office.add(warehouse(day));
            Office.afternoon(day);
        }
        Office.close();
    }

    private static long warehouse(int day) {
        List<Pair<String, Double>> sold = new ArrayList<>();
        for (int article = 0; article < 400; article++) {
            sold.add(new Pair<>("article-" + article, 1.0 + (article * 37 + day) % 90));
        }
        EnumeratedDistribution<String> articles = new EnumeratedDistribution<>(new Well19937c(day), sold);
        SummaryStatistics statistics = new SummaryStatistics();
        SimpleRegression regression = new SimpleRegression();
        for (int order = 0; order < 1_500; order++) {
            String article = articles.sample();
            statistics.addValue(article.length());
            regression.addData(order, article.hashCode() % 100);
        }
        return Math.round(statistics.getMean() * 1000 + regression.getSlope() * 1000);
    }
}
