import java.lang.ref.WeakReference;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Executes prepared statements, some of them behind proxies, as pools make them. */
public final class Prepared {
    static final String SELECT = "select price from item where id = ?";

    /** Passes all calls on; statements that come back are behind a proxy as well. */
    static <T> T pooled(Class<T> type, T real) {
        InvocationHandler handler =
                (proxy, method, arguments) -> {
                    try {
                        Object result = method.invoke(real, arguments);
                        return result instanceof PreparedStatement
                                ? pooled(PreparedStatement.class, (PreparedStatement) result)
                                : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                };
        return type.cast(Proxy.newProxyInstance(Prepared.class.getClassLoader(), new Class<?>[] {type}, handler));
    }

    static int price(PreparedStatement select, int id) throws SQLException {
        select.setInt(1, id);
        try (ResultSet found = select.executeQuery()) {
            found.next();
            return found.getInt(1);
        }
    }

    /** A statement that nobody keeps. */
    static WeakReference<PreparedStatement> dropped(Connection db) throws SQLException {
        try (PreparedStatement dropped = db.prepareStatement("select 'dropped' from item")) {
            dropped.execute();
            return new WeakReference<>(dropped);
        }
    }

    static boolean isCollected(WeakReference<?> reference) throws InterruptedException {
        for (int i = 0; i < 100 && reference.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }
        return reference.get() == null;
    }

    public static void main(String[] arguments) throws Exception {
        try (Connection db = DriverManager.getConnection("jdbc:h2:mem:")) {
            try (Statement statement = db.createStatement()) {
                statement.execute("create table item(id int primary key, price int)");
                statement.addBatch("insert into item values (100, 1)");
                statement.executeBatch();
            }
            try (PreparedStatement insert = db.prepareStatement("insert into item values (?, ?)")) {
                for (int id = 0; id < 10; id++) {
                    insert.setInt(1, id);
                    insert.setInt(2, id * 3);
                    insert.addBatch();
                }
                System.out.println(insert.executeBatch().length);
            }
            int sum = 0;
            Connection pool = pooled(Connection.class, db);
            try (PreparedStatement select = db.prepareStatement(SELECT);
                    PreparedStatement raise = db.prepareStatement("update item set price = price + 1 where id = ?");
                    PreparedStatement behind = pool.prepareStatement(SELECT)) {
                for (int i = 0; i < 30; i++) {
                    sum += price(select, i % 10);
                    if (i % 3 == 0) {
                        raise.setInt(1, i % 10);
                        sum += raise.executeUpdate();
                    }
                }
                for (int i = 0; i < 7; i++) {
                    sum += price(behind, i);
                }
                System.out.println(select.hashCode() == select.hashCode());
            }
            System.out.println(sum);
            try (PreparedStatement incomplete = pool.prepareStatement("select id from item where price > ?")) {
                incomplete.executeQuery();
            } catch (SQLException e) {
                System.out.println(e.getMessage());
            }
            WeakReference<PreparedStatement> dropped = dropped(db);
            System.out.println(isCollected(dropped));
        }
    }
}
