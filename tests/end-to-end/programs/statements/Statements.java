import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A program with a query in a loop: 50 items, each asked for by itself, for each of 4 totals. */
public final class Statements {
    static final int ITEMS = 50;
    static final int TOTALS = 4;

    static void fill(Connection db) throws SQLException {
        try (Statement statement = db.createStatement()) {
            statement.execute("create table item(id int primary key, price int)");
            statement.execute("create table tax(country varchar(2), rate int)");
            for (int id = 0; id < ITEMS; id++) {
                statement.executeUpdate("insert into item values (" + id + ", " + id * 3 + ")");
            }
            statement.addBatch("insert into tax values ('DE', 19), ('FR', 20)");
            statement.addBatch("insert into tax values ('AT', 20)");
            statement.executeBatch();
        }
    }

    static long total(Connection db, boolean taxed) throws SQLException {
        long total = 0;
        for (int id = 0; id < ITEMS; id++) {
            total += price(db, id);
        }
        return taxed ? total * rate(db, "DE") : total;
    }

    static int price(Connection db, int id) throws SQLException {
        try (PreparedStatement select = db.prepareStatement("select price from item\n  where id = ?")) {
            select.setInt(1, id);
            try (ResultSet found = select.executeQuery()) {
                found.next();
                return found.getInt(1);
            }
        }
    }

    static int rate(Connection db, String country) throws SQLException {
        try (Statement select = db.createStatement();
                ResultSet found =
                        select.executeQuery("select rate from tax where country = '" + country + "'")) {
            found.next();
            return found.getInt(1);
        }
    }

    public static void main(String[] arguments) throws SQLException {
        boolean taxed = arguments.length > 0;
        try (Connection db = DriverManager.getConnection("jdbc:h2:mem:")) {
            fill(db);
            long all = 0;
            for (int i = 0; i < TOTALS; i++) {
                all += total(db, taxed);
            }
            System.out.println(all);
            try {
                db.prepareStatement(null);
            } catch (SQLException e) {
                System.out.println(e.getMessage());
            }
            try (Statement wrong = db.createStatement()) {
                wrong.execute("select 'nothing' from nowhere");
            } catch (SQLException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
