package apps.databases;

import apps.App;
import apps.Digest;
import apps.Size;
import apps.Words;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;

/** A shop's orders in a database in memory: inserts, joins, groups, updates, deletes. */
abstract class SqlMix implements App {
    private static final int CUSTOMERS = 500;
    private static final int PRODUCTS = 200;

    /** Opens a database in memory that is empty. */
    abstract Connection open() throws SQLException;

    /** Throws the database away, so that the next iteration finds none. */
    abstract void drop(Connection db) throws SQLException;

    /** How many orders are inserted. */
    abstract int orders(Size size);

    @Override
    public String iterate(Size size) throws SQLException {
        int orders = orders(size);
        Digest digest = new Digest();
        try (Connection db = open()) {
            create(db);
            fill(db, orders);
            query(db, digest, orders / 8);
            change(db, orders);
            summarise(db, digest);
            drop(db);
        }
        return digest.text();
    }

    private static void create(Connection db) throws SQLException {
        try (Statement sql = db.createStatement()) {
            sql.execute("create table customer(id int primary key, name varchar(60), region int)");
            sql.execute("create table product(id int primary key, title varchar(60), price decimal(10,2))");
            sql.execute("create table purchase(id int primary key, customer int references customer(id),"
                    + " product int references product(id), amount int, note varchar(120))");
            sql.execute("create index purchase_product on purchase(product, amount)");
        }
    }

    private static void fill(Connection db, int orders) throws SQLException {
        Words words = new Words(17, 3_000);
        db.setAutoCommit(false);
        try (PreparedStatement insert = db.prepareStatement("insert into customer values(?,?,?)")) {
            for (int i = 0; i < CUSTOMERS; i++) {
                insert.setInt(1, i);
                insert.setString(2, words.sentence(3));
                insert.setInt(3, words.number(12));
                insert.executeUpdate();
            }
        }
        try (PreparedStatement insert = db.prepareStatement("insert into product values(?,?,?)")) {
            for (int i = 0; i < PRODUCTS; i++) {
                insert.setInt(1, i);
                insert.setString(2, words.sentence(2));
                insert.setBigDecimal(3, BigDecimal.valueOf(99 + words.number(90_000), 2));
                insert.executeUpdate();
            }
        }
        try (PreparedStatement insert = db.prepareStatement("insert into purchase values(?,?,?,?,?)")) {
            for (int i = 0; i < orders; i++) {
                insert.setInt(1, i);
                insert.setInt(2, words.number(CUSTOMERS));
                insert.setInt(3, words.number(PRODUCTS));
                insert.setInt(4, 1 + words.number(9));
                insert.setString(5, words.sentence(8));
                insert.executeUpdate();
            }
        }
        db.commit();
    }

    private static void query(Connection db, Digest digest, int queries) throws SQLException {
        Random random = new Random(23);
        try (PreparedStatement basket = db.prepareStatement("select p.title, sum(o.amount * p.price) as worth"
                        + " from purchase o join product p on o.product = p.id where o.customer = ?"
                        + " group by p.title having sum(o.amount) > 3 order by worth desc, p.title");
                PreparedStatement similar = db.prepareStatement("select count(distinct o.customer) from purchase o"
                        + " where o.product = ? and o.amount >= ? and lower(o.note) like ?")) {
            for (int i = 0; i < queries; i++) {
                basket.setInt(1, random.nextInt(CUSTOMERS));
                print(basket, digest);
                similar.setInt(1, random.nextInt(PRODUCTS));
                similar.setInt(2, 1 + random.nextInt(5));
                similar.setString(3, "%o%" + (char) ('a' + random.nextInt(26)) + "%");
                print(similar, digest);
            }
        }
    }

    private static void change(Connection db, int orders) throws SQLException {
        try (PreparedStatement update =
                        db.prepareStatement("update purchase set amount = amount + 1, note = upper(note) where id = ?");
                PreparedStatement delete = db.prepareStatement("delete from purchase where id = ?")) {
            for (int i = 0; i < orders; i += 3) {
                update.setInt(1, i);
                update.executeUpdate();
            }
            for (int i = 0; i < orders; i += 7) {
                delete.setInt(1, i);
                delete.executeUpdate();
            }
        }
        db.commit();
    }

    private static void summarise(Connection db, Digest digest) throws SQLException {
        try (PreparedStatement regions = db.prepareStatement("select c.region, count(*), sum(o.amount * p.price),"
                + " avg(p.price), max(length(o.note)) from purchase o join customer c on o.customer = c.id"
                + " join product p on o.product = p.id group by c.region order by c.region")) {
            print(regions, digest);
        }
        // Derby refuses to close a connection within a transaction, even one
        // that only read.
        db.commit();
    }

    private static void print(PreparedStatement query, Digest digest) throws SQLException {
        try (ResultSet rows = query.executeQuery()) {
            int columns = rows.getMetaData().getColumnCount();
            while (rows.next()) {
                for (int c = 1; c <= columns; c++) {
                    digest.add(String.valueOf(rows.getString(c)));
                }
            }
        }
    }
}
