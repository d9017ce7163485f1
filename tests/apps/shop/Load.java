package apps.shop;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Asks the server at a port for invoices, so many at a time, until its input ends. For each line of
 * input it prints what happened since the line before: seconds, answers a second, the longest wait
 * for an answer in milliseconds, and how many answers were not those that were given first.
 */
public final class Load {
    private static final int NUMBERS = 50;

    private final HttpClient client = HttpClient.newHttpClient();
    private final String[] expected = new String[NUMBERS];
    private final LongAdder answers = new LongAdder();
    private final LongAdder different = new LongAdder();
    private final AtomicLong longest = new AtomicLong();
    private final String server;
    private volatile boolean ended;

    private Load(String port) {
        server = "http://127.0.0.1:" + port + "/invoice/";
    }

    private String ask(int number) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server + number)).build();
        HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
        return response.statusCode() + " " + response.body();
    }

    private void askOn(int first) {
        for (int i = first; !ended; i++) {
            long begin = System.nanoTime();
            try {
                if (!ask(i % NUMBERS).equals(expected[i % NUMBERS])) {
                    different.increment();
                }
            } catch (IOException | InterruptedException failed) {
                different.increment();
            }
            answers.increment();
            longest.accumulateAndGet(System.nanoTime() - begin, Math::max);
        }
    }

    public static void main(String[] args) throws Exception {
        Load load = new Load(args[0]);
        int clients = Integer.parseInt(args[1]);
        for (int i = 0; i < NUMBERS; i++) {
            load.expected[i] = load.ask(i);
        }
        for (int i = 0; i < clients; i++) {
            int first = i * 7;
            new Thread(() -> load.askOn(first)).start();
        }
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));
        long since = System.nanoTime();
        while (lines.readLine() != null) {
            long now = System.nanoTime();
            double seconds = (now - since) / 1e9;
            System.out.printf("%.2f %.1f %.1f %d%n", seconds, load.answers.sumThenReset() / seconds,
                    load.longest.getAndSet(0) / 1e6, load.different.sumThenReset());
            System.out.flush();
            since = now;
        }
        load.ended = true;
    }
}
