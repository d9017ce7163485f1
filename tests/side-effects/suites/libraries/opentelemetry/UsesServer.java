import com.sun.net.httpserver.HttpServer;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A server for HTTP and two clients, all instrumented by another agent, which adds a header. */
public final class UsesServer {
    private UsesServer() {
    }

    public static void main(String[] args) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        ExecutorService pool = Executors.newFixedThreadPool(3);
        server.setExecutor(pool);
        server.createContext("/", exchange -> {
            boolean traced = exchange.getRequestHeaders().containsKey("Traceparent");
            byte[] body = (exchange.getRequestURI().getPath() + " " + traced).getBytes();
            exchange.sendResponseHeaders(body.length % 2 == 0 ? 200 : 404, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
        String address = "http://127.0.0.1:" + server.getAddress().getPort();
        HttpClient client = HttpClient.newHttpClient();
        ExecutorService callers = Executors.newFixedThreadPool(2);
        for (int i = 0; i < 30; i++) {
            int number = i;
            Future<String> called = callers.submit(() -> {
                HttpResponse<String> response = client.send(HttpRequest.newBuilder(URI.create(address + "/client/" + number)).build(),
                    HttpResponse.BodyHandlers.ofString());
                return response.statusCode() + response.body();
            });
            HttpURLConnection connection = (HttpURLConnection) URI.create(address + "/connection/" + i + "0").toURL().openConnection();
            int status = connection.getResponseCode();
            try (InputStream in = status == 200 ? connection.getInputStream() : connection.getErrorStream()) {
                System.out.println(called.get() + " " + status + new String(in.readAllBytes()));
            }
        }
        callers.shutdown();
        server.stop(0);
        pool.shutdown();
        System.out.println("opentelemetry has seen it");
        System.exit(0);
    }
}
