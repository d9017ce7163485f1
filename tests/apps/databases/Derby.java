package apps.databases;

import apps.Size;
import java.io.OutputStream;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/**
 * The SQL mix in Derby, which compiles every statement to a class of its own.
 * The names of those classes contain the time, so the methods of two profiles
 * are not all the same, while what is computed is.
 */
public final class Derby extends SqlMix {
    /** What Derby reports when a database in memory has been dropped. */
    private static final String DROPPED = "08006";

    /** Where Derby writes its log instead of a file in the current folder. */
    public static final OutputStream LOG = OutputStream.nullOutputStream();

    @Override
    public String name() {
        return "derby";
    }

    @Override
    Connection open() throws SQLException {
        System.setProperty("derby.stream.error.field", Derby.class.getName() + ".LOG");
        return DriverManager.getConnection("jdbc:derby:memory:shop;create=true");
    }

    @Override
    void drop(Connection db) throws SQLException {
        db.close();
        try {
            DriverManager.getConnection("jdbc:derby:memory:shop;drop=true").close();
        } catch (SQLException e) {
            if (!DROPPED.equals(e.getSQLState())) {
                throw e;
            }
        }
    }

    @Override
    int orders(Size size) {
        return size.of(500, 12_000);
    }
}
