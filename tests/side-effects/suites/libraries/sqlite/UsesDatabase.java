import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.sqlite.Function;
import org.sqlite.ProgressHandler;

/** A database in native code, which calls functions of the program's. */
public final class UsesDatabase {
    private UsesDatabase() {
    }

    public static void main(String[] args) throws Exception {
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite::memory:")) {
            Function.create(connection, "twice", new Function() {
                @Override protected void xFunc() throws SQLException {
                    if (value_int(0) == 666) {
                        error("the number 666");
                    } else {
                        result(value_int(0) * 2L);
                    }
                }
            });
            Function.create(connection, "mixed", new Function.Aggregate() {
                private long sum;

                @Override protected void xStep() throws SQLException {
                    sum = sum * 31 + value_long(0) + value_text(1).length();
                }

                @Override protected void xFinal() throws SQLException {
                    result(sum);
                }
            });
            int[] progress = new int[1];
            ProgressHandler.setHandler(connection, 1000, new ProgressHandler() {
                @Override protected int progress() {
                    progress[0]++;
                    return 0;
                }
            });
            try (Statement statement = connection.createStatement()) {
                statement.execute("create table t (id integer primary key, flag boolean, text varchar, number real, bytes blob)");
            }
            connection.setAutoCommit(false);
            try (PreparedStatement insert = connection.prepareStatement("insert into t values (?, ?, ?, ?, ?)")) {
                for (int i = 0; i < 2000; i++) {
                    insert.setInt(1, i);
                    insert.setBoolean(2, i % 3 == 0);
                    insert.setString(3, i % 10 == 0 ? null : "text \u20ac " + i);
                    insert.setDouble(4, i / 7d);
                    insert.setBytes(5, new byte[] {(byte) i, 1});
                    insert.addBatch();
                }
                insert.executeBatch();
            }
            connection.commit();
            long sum = 0;
            try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select id, flag, text, number, bytes, twice(id) from t where id <> 666 order by id")) {
                while (rows.next()) {
                    sum = sum * 31 + rows.getInt(1) + (rows.getBoolean(2) ? 5 : 6) + String.valueOf(rows.getString(3)).hashCode()
                        + (long) rows.getDouble(4) + rows.getBytes(5)[0] + rows.getShort(6) + rows.getByte(6);
                }
            }
            System.out.println(sum + " " + (progress[0] > 0));
            try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select mixed(id, text), count(*), typeof(max(number)) from t where text is not null")) {
                System.out.println(rows.next() + " " + rows.getLong(1) + " " + rows.getInt(2) + " " + rows.getObject(3));
            }
            try (Statement statement = connection.createStatement()) {
                statement.executeQuery("select twice(id) from t where id = 666").next();
            } catch (SQLException e) {
                System.out.println(e.getMessage());
            }
        }
        System.out.println("sqlite is closed");
    }
}
