import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Some of everything that agents look at: threads, streams, reflection, serialization, a server and its client. */
public final class UsesMuch {
    private UsesMuch() {
    }

    /** Something to serialize and to reflect on. */
    public record Point(int x, String name) implements java.io.Serializable {
        /** As a reflective call of it says. */
        public String shout() {
            return name.toUpperCase(java.util.Locale.ROOT) + x;
        }
    }

    public static void main(String[] args) throws Exception {
        System.out.println("words: " + words());
        System.out.println("threads: " + threads());
        System.out.println("reflection: " + reflection());
        System.out.println("copies: " + copies());
        System.out.println("server: " + server());
    }

    private static Map<String, Long> words() {
        return IntStream.range(0, 5000).mapToObj(i -> "w" + i * 31 % 7)
            .collect(Collectors.groupingBy(word -> word, TreeMap::new, Collectors.counting()));
    }

    private static long threads() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        Map<Integer, Long> sums = new ConcurrentHashMap<>();
        List<Future<?>> tasks = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            int number = i;
            tasks.add(pool.submit(() -> {
                for (int j = 0; j < 200; j++) {
                    sums.merge(j % 13, (long) number * j, Long::sum);
                }
            }));
        }
        for (Future<?> task : tasks) {
            task.get();
        }
        pool.shutdown();
        return sums.values().stream().mapToLong(Long::longValue).sum();
    }

    private static String reflection() throws Exception {
        Point point = Point.class.getDeclaredConstructor(int.class, String.class).newInstance(3, "abc");
        Method shout = Point.class.getMethod("shout");
        StringBuilder said = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            said.append(((String) shout.invoke(point)).length());
        }
        Object numbers = Array.newInstance(int.class, 3);
        Array.setInt(numbers, 1, 7);
        Comparable<?> proxy = (Comparable<?>) Proxy.newProxyInstance(UsesMuch.class.getClassLoader(),
            new Class<?>[] {Comparable.class}, (self, method, arguments) -> method.getName().length());
        return said + " " + Array.getInt(numbers, 1) + " " + compare(proxy);
    }

    @SuppressWarnings("unchecked")
    private static int compare(Comparable<?> proxy) {
        return ((Comparable<Object>) proxy).compareTo("x");
    }

    private static Object copies() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(List.of(new Point(1, "one"), new Point(2, "two")));
        }
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            return in.readObject();
        }
    }

    private static String server() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] answer = ("you asked for " + exchange.getRequestURI()).getBytes();
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.start();
        StringBuilder said = new StringBuilder();
        HttpClient client = HttpClient.newHttpClient();
        for (int i = 0; i < 5; i++) {
            URI uri = new URI("http", null, server.getAddress().getAddress().getHostAddress(), server.getAddress().getPort(), "/" + i, null, null);
            HttpResponse<String> answer = client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
            said.append(answer.statusCode()).append(' ').append(answer.body()).append("; ");
        }
        server.stop(0);
        return said.toString();
    }
}
