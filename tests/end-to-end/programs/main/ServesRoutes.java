import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;

/** A server of the JDK that answers some requests of its own, and reads files for them. */
public final class ServesRoutes {
    static int price(int id) {
        return id * 3;
    }

    static void answer(HttpExchange exchange, String text) throws IOException {
        byte[] bytes = text.getBytes();
        exchange.sendResponseHeaders(200, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    static void totals(HttpExchange exchange) throws IOException {
        int total = 0;
        for (int id = 0; id < 50; id++) {
            total += price(id);
        }
        answer(exchange, "total " + total);
    }

    static void orders(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        int id = Integer.parseInt(path.substring(path.lastIndexOf('/') + 1));
        answer(exchange, path + " " + price(id));
    }

    private static String get(int port, String path) throws IOException {
        URL url = new URL("http", InetAddress.getLoopbackAddress().getHostAddress(), port, path);
        HttpURLConnection connection = (HttpURLConnection) url.openConnection();
        return new String(connection.getInputStream().readAllBytes());
    }

    public static void main(String[] arguments) throws IOException {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/totals", ServesRoutes::totals);
        server.createContext("/orders/", ServesRoutes::orders);
        server.start();
        int port = server.getAddress().getPort();
        for (int i = 0; i < 7; i++) {
            System.out.println(get(port, "/totals?page=" + i));
        }
        for (int i = 1000; i < 1005; i++) {
            System.out.println(get(port, "/orders/" + i));
        }
        server.stop(0);
        Path file = Files.createTempFile("routes", ".txt");
        Files.writeString(file, "text");
        for (int i = 0; i < 3; i++) {
            System.out.println(Files.readString(file));
            try (java.io.FileInputStream in = new java.io.FileInputStream(file.toFile())) {
                System.out.println(in.read());
            }
        }
        try {
            Files.readString(Path.of("no", "such", "file.txt"));
        } catch (IOException e) {
            System.out.println(e);
        }
        Files.delete(file);
    }
}
