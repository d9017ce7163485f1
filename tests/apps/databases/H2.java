package apps.databases;

import apps.Size;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;

/** The SQL mix in H2. */
public final class H2 extends SqlMix {
    @Override
    public String name() {
        return "h2";
    }

    @Override
    Connection open() throws SQLException {
        return DriverManager.getConnection("jdbc:h2:mem:");
    }

    @Override
    void drop(Connection db) {
        // A database without a name goes with its only connection.
    }

    @Override
    int orders(Size size) {
        return size.of(2_000, 28_000);
    }
}
