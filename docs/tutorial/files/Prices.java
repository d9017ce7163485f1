import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.text.NumberFormat;
import java.util.Locale;
import java.util.concurrent.Executors;

/** A server that answers with a list of prices, and a client that asks it for some seconds. */
public class Prices {
    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(arguments[1]);
        if (arguments[0].equals("serve")) {
            serve(port);
        } else {
            ask(port, Integer.parseInt(arguments[2]));
        }
    }

    private static void serve(int port) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress("localhost", port), 0);
        server.createContext("/prices", exchange -> {
            byte[] page = page().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        server.setExecutor(Executors.newFixedThreadPool(2));
        server.start();
    }

    private static String page() {
        StringBuilder page = new StringBuilder();
        for (int product = 0; product < 200; product++) {
            page.append("product ").append(product).append(": ").append(price(product)).append('\n');
        }
        return page.toString();
    }

    private static String price(int product) {
        NumberFormat format = NumberFormat.getCurrencyInstance(Locale.GERMANY);
        return format.format(product * 0.37);
    }

    private static void ask(int port, int seconds) throws Exception {
        HttpClient client = HttpClient.newHttpClient();
        URI address = URI.create("http://localhost:" + port + "/prices");
        long end = System.nanoTime() + seconds * 1_000_000_000L;
        int answers = 0;
        while (System.nanoTime() < end) {
            client.send(HttpRequest.newBuilder(address).build(), BodyHandlers.ofString());
            answers++;
        }
        System.out.println(answers + " answers");
    }
}
