package office;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A ledger in a database in memory (H2): bookings, queries, and a closing. */
public final class Ledger {
    private Ledger() {}

    public static long run(int round) {
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:ledger" + round)) {
            try (Statement statement = connection.createStatement()) {
                statement.execute("create table account(id int primary key, name varchar(40), kind char(1))");
                statement.execute("create table booking(id int primary key, account int, amount decimal(12, 2),"
                        + " day int, foreign key (account) references account(id))");
                statement.execute("create index by_day on booking(day)");
            }
            try (PreparedStatement insert = connection.prepareStatement("insert into account values(?, ?, ?)")) {
                for (int id = 0; id < 20; id++) {
                    insert.setInt(1, id);
                    insert.setString(2, "account " + id);
                    insert.setString(3, id % 3 == 0 ? "A" : "L");
                    insert.executeUpdate();
                }
            }
            for (Orders.Order order : Orders.make(round, 120)) {
                try (PreparedStatement insert = connection.prepareStatement("insert into booking values(?, ?, ?, ?)")) {
                    insert.setInt(1, order.number());
                    insert.setInt(2, order.number() % 20);
                    insert.setBigDecimal(3, order.sum());
                    insert.setInt(4, order.number() % 30);
                    insert.executeUpdate();
                }
            }
            return close(connection);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static long close(Connection connection) throws SQLException {
        String query = "select a.kind, b.day, sum(b.amount), count(*) from booking b join account a on a.id = b.account"
                + " where b.day between ? and ? group by a.kind, b.day order by 3 desc";
        long sum = 0;
        try (PreparedStatement select = connection.prepareStatement(query)) {
            for (int week = 0; week < 4; week++) {
                select.setInt(1, week * 7);
                select.setInt(2, week * 7 + 6);
                try (ResultSet rows = select.executeQuery()) {
                    while (rows.next()) {
                        BigDecimal amount = rows.getBigDecimal(3);
                        sum = sum * 31 + amount.hashCode() + rows.getInt(4) + rows.getString(1).hashCode();
                    }
                }
            }
        }
        return sum;
    }
}
