package app;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import office.Office;
import org.springframework.beans.BeanUtils;

/** Customers of a store are copied to views, which are shown to clerks. */
public final class Spring27246 {
    /** A customer as it is stored. */
    public static class Customer {
        private long number;
        private String name;
        private String mail;
        private String city;
        private String street;
        private int points;
        private boolean active;
        private LocalDate since;
        private List<String> orders = new ArrayList<>();
        private String secret;

        public long getNumber() { return number; }
        public void setNumber(long number) { this.number = number; }
        public String getName() { return name; }
        public void setName(String name) { this.name = name; }
        public String getMail() { return mail; }
        public void setMail(String mail) { this.mail = mail; }
        public String getCity() { return city; }
        public void setCity(String city) { this.city = city; }
        public String getStreet() { return street; }
        public void setStreet(String street) { this.street = street; }
        public int getPoints() { return points; }
        public void setPoints(int points) { this.points = points; }
        public boolean isActive() { return active; }
        public void setActive(boolean active) { this.active = active; }
        public LocalDate getSince() { return since; }
        public void setSince(LocalDate since) { this.since = since; }
        public List<String> getOrders() { return orders; }
        public void setOrders(List<String> orders) { this.orders = orders; }
        public String getSecret() { return secret; }
        public void setSecret(String secret) { this.secret = secret; }
    }

    /** What a clerk sees of it. */
    public static class View {
        private long number;
        private String name;
        private String mail;
        private String city;
        private String street;
        private int points;
        private boolean active;
        private LocalDate since;
        private List<String> orders;

        public long getNumber() { return number; }
        public void setNumber(long number) { this.number = number; }
        public String getName() { return name; }
        public void setName(String name) { this.name = name; }
        public String getMail() { return mail; }
        public void setMail(String mail) { this.mail = mail; }
        public String getCity() { return city; }
        public void setCity(String city) { this.city = city; }
        public String getStreet() { return street; }
        public void setStreet(String street) { this.street = street; }
        public int getPoints() { return points; }
        public void setPoints(int points) { this.points = points; }
        public boolean isActive() { return active; }
        public void setActive(boolean active) { this.active = active; }
        public LocalDate getSince() { return since; }
        public void setSince(LocalDate since) { this.since = since; }
        public List<String> getOrders() { return orders; }
        public void setOrders(List<String> orders) { this.orders = orders; }
    }

    public static void main(String[] arguments) {
        int days = Office.days(arguments, 5);
        List<Customer> customers = customers(new Random(7));
        for (int day = 0; day < days; day++) {
            Office.morning(day);
            Office.add(page(customers, day));
            Office.afternoon(day);
        }
        Office.close();
    }

    private static List<Customer> customers(Random random) {
        List<Customer> customers = new ArrayList<>();
        for (int number = 0; number < 800; number++) {
            Customer customer = new Customer();
            customer.setNumber(10_000 + number);
            customer.setName("customer " + random.nextInt(5_000));
            customer.setMail("c" + number + "@store.example.org");
            customer.setCity("city " + random.nextInt(40));
            customer.setStreet("street " + random.nextInt(300) + ", " + random.nextInt(90));
            customer.setPoints(random.nextInt(2_000));
            customer.setActive(random.nextInt(5) > 0);
            customer.setSince(LocalDate.of(2001 + random.nextInt(20), 1 + random.nextInt(12), 1));
            for (int order = random.nextInt(4); order > 0; order--) {
                customer.getOrders().add("order " + random.nextInt(99_999));
            }
            customer.setSecret(Long.toHexString(random.nextLong()));
            customers.add(customer);
        }
        return customers;
    }

    private static long page(List<Customer> customers, int day) {
        StringBuilder page = new StringBuilder();
        for (int row = 0; row < 260; row++) {
            View view = new View();
            BeanUtils.copyProperties(customers.get((day * 260 + row) % customers.size()), view);
            page.append(view.getNumber()).append('\t').append(view.getName()).append('\t').append(view.getMail()).append('\t')
                    .append(view.getStreet()).append(", ").append(view.getCity()).append('\t').append(view.getSince().getYear())
                    .append(view.isActive() ? " active " : " ").append(view.getPoints()).append(' ').append(view.getOrders().size()).append('\n');
        }
        return page.toString().hashCode();
    }
}
