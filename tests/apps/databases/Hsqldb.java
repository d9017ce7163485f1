package apps.databases;

import apps.Size;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;

/** The SQL mix in HSQLDB. */
public final class Hsqldb extends SqlMix {
    @Override
    public String name() {
        return "hsqldb";
    }

    @Override
    Connection open() throws SQLException {
        // Otherwise a log framework is asked for and its set-up is printed.
        System.setProperty("hsqldb.reconfig_logging", "false");
        return DriverManager.getConnection("jdbc:hsqldb:mem:shop", "sa", "");
    }

    @Override
    void drop(Connection db) throws SQLException {
        try (Statement sql = db.createStatement()) {
            sql.execute("shutdown");
        }
    }

    @Override
    int orders(Size size) {
        return size.of(2_000, 50_000);
    }
}
