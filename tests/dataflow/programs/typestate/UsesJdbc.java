import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** What programs do with a database, rightly and wrongly; the driver is made of proxies. */
public class UsesJdbc {
    public static void main(String[] arguments) throws SQLException {
        System.out.println(queries());
        for (int i = 0; i < 2; i++) {
            neverCloses();
        }
        readsBeforeFirst();
        readsBehindLast();
        usesAfterClose();
    }

    /** A connection, a statement, or a result set of three rows. */
    static class Driver implements InvocationHandler {
        private int rows = 3;

        static Connection connect() {
            return (Connection) make(Connection.class);
        }

        static Object make(Class<?> type) {
            ClassLoader loader = UsesJdbc.class.getClassLoader();
            return Proxy.newProxyInstance(loader, new Class<?>[] {type}, new Driver());
        }

        @Override
        public Object invoke(Object proxy, java.lang.reflect.Method method, Object[] given) {
            Class<?> type = method.getReturnType();
            if (type == boolean.class) {
                return rows-- > 0;
            }
            return type == int.class ? Integer.valueOf(rows) : type.isInterface() ? make(type) : null;
        }
    }

    private static int queries() throws SQLException {
        int sum = 0;
        try (Connection connection = Driver.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("select n from t")) {
            while (rows.next()) {
                sum += rows.getInt("n");
            }
        }
        return sum;
    }

    private static void neverCloses() throws SQLException {
        Connection connection = Driver.connect();
        Statement statement = connection.createStatement();
        statement.executeUpdate("delete from t");
    }

    private static void readsBeforeFirst() throws SQLException {
        try (Connection connection = Driver.connect();
                Statement statement = connection.createStatement()) {
            ResultSet rows = statement.executeQuery("select n from t");
            rows.getInt(1);
        }
    }

    private static void readsBehindLast() throws SQLException {
        try (Connection connection = Driver.connect();
                Statement statement = connection.createStatement()) {
            ResultSet rows = statement.executeQuery("select n from t");
            while (rows.next()) {
            }
            rows.getString(1);
        }
    }

    private static void usesAfterClose() throws SQLException {
        Connection connection = Driver.connect();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("select n from t");
        rows.close();
        rows.next();
        statement.close();
        statement.executeQuery("select n from t");
        connection.close();
        connection.createStatement();
    }
}
