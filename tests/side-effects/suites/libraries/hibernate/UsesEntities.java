import jakarta.persistence.CascadeType;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.FetchType;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import jakarta.persistence.Version;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.LogManager;
import org.hibernate.Hibernate;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/** Entities with fields of every type and lazy relations, in a database in memory. */
public final class UsesEntities {
    private UsesEntities() {
    }

    public enum Colour {
        RED, GREEN
    }

    @Embeddable
    public static class Part {
        boolean flag;
        char sign;
        Short medium;
    }

    @Entity(name = "Owner")
    public static class Owner {
        @Id @GeneratedValue long id;
        @Version int version;
        String name;
        boolean active;
        byte small;
        double twice;
        Character letter;
        @Enumerated(EnumType.STRING) Colour colour;
        @Embedded Part part = new Part();
        @OneToMany(mappedBy = "owner", cascade = CascadeType.ALL) List<Item> items = new ArrayList<>();

        public boolean isActive() {
            return active;
        }
    }

    @Entity(name = "Item")
    public static class Item {
        @Id @GeneratedValue long id;
        @ManyToOne(fetch = FetchType.LAZY) Owner owner;
        short weight;
        float price;

        public Owner getOwner() {
            return owner;
        }
    }

    public static void main(String[] args) {
        LogManager.getLogManager().reset();
        Configuration configuration = new Configuration().addAnnotatedClass(Owner.class).addAnnotatedClass(Item.class)
            .setProperty("hibernate.connection.url", "jdbc:h2:mem:here").setProperty("hibernate.hbm2ddl.auto", "create");
        try (SessionFactory factory = configuration.buildSessionFactory()) {
            factory.inTransaction(session -> {
                for (int i = 0; i < 60; i++) {
                    Owner owner = new Owner();
                    owner.name = "owner " + i;
                    owner.active = i % 2 == 0;
                    owner.small = (byte) i;
                    owner.twice = i / 3d;
                    owner.letter = (char) ('a' + i % 26);
                    owner.colour = Colour.values()[i % 2];
                    owner.part.flag = i % 3 == 0;
                    owner.part.sign = 'p';
                    owner.part.medium = (short) (i * 100);
                    for (int at = 0; at < 4; at++) {
                        Item item = new Item();
                        item.owner = owner;
                        item.weight = (short) (i + at);
                        item.price = at / 4f;
                        owner.items.add(item);
                    }
                    session.persist(owner);
                }
            });
            factory.inTransaction(session -> {
                for (Owner owner : session.createQuery("from Owner where active = true order by id", Owner.class).list()) {
                    owner.active = owner.items.size() == 3;
                    owner.part.sign++;
                    owner.letter = null;
                }
            });
            factory.inTransaction(UsesEntities::print);
        }
        System.out.println("hibernate is closed");
    }

    private static void print(Session session) {
        List<Item> items = session.createQuery("from Item where weight > 20 order by id", Item.class).list();
        System.out.println(items.size() + " " + Hibernate.isInitialized(items.get(0).getOwner()) + " "
            + (items.get(0).getOwner().getClass() != Owner.class) + " " + items.get(0).getOwner().isActive());
        long sum = 0;
        for (Item item : items) {
            Owner owner = (Owner) Hibernate.unproxy(item.getOwner());
            sum = sum * 31 + (owner.name + owner.active + owner.small + owner.twice + owner.letter + owner.colour
                + owner.version + owner.part.flag + owner.part.sign + owner.part.medium + item.weight + item.price).hashCode();
        }
        Object count = session.createQuery("select count(i), sum(i.price), max(i.weight) from Item i where i.owner.active = false", Object[].class)
            .getSingleResult()[1];
        System.out.println(sum + " " + count);
    }
}
