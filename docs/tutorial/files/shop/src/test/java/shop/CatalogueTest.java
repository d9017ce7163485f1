package shop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class CatalogueTest {
    private static Catalogue catalogue(int products) {
        Catalogue catalogue = new Catalogue();
        for (int number = 0; number < products; number++) {
            catalogue.add("product " + number + "; 9.99");
        }
        return catalogue;
    }

    @Test
    void addsAProduct() {
        assertTrue(catalogue(10).add("pencil; 0.50"));
    }

    @Test
    void refusesAProductTwice() {
        assertFalse(catalogue(10).add("product 3; 1.50"));
    }

    @Test
    void holdsASeason() {
        assertEquals(5_000, catalogue(5_000).size());
    }
}
