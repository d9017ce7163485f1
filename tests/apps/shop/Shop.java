package apps.shop;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** A Spring Boot server with a database: each request reads 20 products and adds up an invoice. */
@SpringBootApplication
@EnableJpaRepositories(considerNestedRepositories = true)
@RestController
public class Shop {
    /** How many products the database has. */
    private static final int PRODUCTS = 1000;

    /** A row of the database. */
    @Entity
    public static class Product {
        @Id
        private int id;
        private String name;
        private long cents;

        /** For the persistence layer. */
        protected Product() {
        }

        Product(int id) {
            this.id = id;
            this.name = "product " + id * 31 % PRODUCTS;
            this.cents = id * 37 % 10_000;
        }

        public int getId() {
            return id;
        }

        public String getName() {
            return name;
        }

        public long getCents() {
            return cents;
        }
    }

    /** The table. */
    public interface Products extends JpaRepository<Product, Integer> {
        /** Products with numbers from one to another, by name. */
        List<Product> findByIdBetweenOrderByName(int first, int last);
    }

    /** What is answered. */
    public record Invoice(int number, List<Product> products, long cents) {}

    private final Products products;

    Shop(Products products) {
        this.products = products;
    }

    /** The invoice of a number. */
    @GetMapping("/invoice/{number}")
    public Invoice invoice(@PathVariable("number") int number) {
        int first = number * 20 % PRODUCTS;
        List<Product> found = products.findByIdBetweenOrderByName(first, first + 19);
        return new Invoice(number, found, found.stream().mapToLong(Product::getCents).sum());
    }

    public static void main(String[] args) {
        ConfigurableApplicationContext context = SpringApplication.run(Shop.class, args);
        Products products = context.getBean(Products.class);
        for (int id = 0; id < PRODUCTS; id++) {
            products.save(new Product(id));
        }
        System.out.println("filled");
    }
}
