package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InvoiceTest {
    private final Catalogue catalogue = new Catalogue();
    private final List<String> products = new ArrayList<>();

    InvoiceTest() {
        for (int number = 0; number < 500; number++) {
            catalogue.put("product " + number, number);
            products.add("product " + number);
        }
    }

    @Test
    void totalIsTheSum() {
        assertEquals(124_750, new Invoice(catalogue).total(products));
    }

    @Test
    void eachProductHasALine() {
        String text = new Invoice(catalogue).text(products);
        assertEquals(501, text.lines().count());
        assertEquals("total 1247.50", text.lines().reduce("", (last, line) -> line));
    }

    @Test
    void unknownProductsAreRefused() {
        assertThrows(IllegalArgumentException.class, () -> catalogue.price("nothing"));
    }
}
