import org.jfree.chart.axis.CategoryAxis;
import org.jfree.chart.axis.NumberAxis;
import org.jfree.chart.plot.CategoryPlot;
import org.jfree.chart.renderer.category.LineAndShapeRenderer;
import org.jfree.data.category.DefaultCategoryDataset;

/** JFreeChart's issue 44, with 60 categories. */
public class Cases {
    public static void main(String[] args) {
        DefaultCategoryDataset values = new DefaultCategoryDataset();
        for (int i = 0; i < 60; i++) {
            values.addValue(i, "row", "category " + i);
        }
        CategoryAxis axis = new CategoryAxis("categories");
        CategoryPlot plot = new CategoryPlot(values, axis, new NumberAxis("values"), new LineAndShapeRenderer());
        System.out.println(plot.getCategoriesForAxis(axis).size());
    }
}
