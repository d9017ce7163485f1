package apps.server;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.LongAdder;

/**
 * Asks the server at a port for invoices, two at a time, until a file exists. It says how many
 * answers there were, and how many differ from the first one to the same question.
 */
public final class Asking {
    private static final int NUMBERS = 50;

    private final HttpClient client = HttpClient.newHttpClient();
    private final String[] expected = new String[NUMBERS];
    private final LongAdder answers = new LongAdder();
    private final LongAdder different = new LongAdder();
    private final String server;

    private Asking(String port) {
        server = "http://127.0.0.1:" + port + "/invoice/";
    }

    private String ask(int number) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server + number)).build();
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        return response.statusCode() + " " + response.body();
    }

    private void askOn(int first, Path end) {
        for (int i = first; !Files.exists(end); i++) {
            try {
                if (!ask(i % NUMBERS).equals(expected[i % NUMBERS])) {
                    different.increment();
                }
            } catch (IOException | InterruptedException failed) {
                different.increment();
            }
            answers.increment();
        }
    }

    public static void main(String[] args) throws Exception {
        Asking asking = new Asking(args[0]);
        Path end = Path.of(args[1]);
        for (int i = 0; i < NUMBERS; i++) {
            asking.expected[i] = asking.ask(i);
        }
        System.out.println("ready");
        System.out.flush();
        Thread other = new Thread(() -> asking.askOn(7, end));
        other.start();
        asking.askOn(0, end);
        other.join();
        System.out.println("answers " + asking.answers.sum() + " different " + asking.different.sum());
    }
}
