import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.logging.LogManager;
import java.util.zip.CRC32;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;

/**
 * Serves pages by Tomcat and asks for them over the loopback at the same time, by many connections.
 * {@code ServesPages CLIENTS REQUESTS} prints how many answers were right and a checksum of them,
 * which are the same in every run.
 */
public final class ServesPages {
    private ServesPages() {
    }

    @SuppressWarnings("serial")
    public static final class Page extends HttpServlet {
        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
            int number = Integer.parseInt(request.getParameter("number"));
            if (number % 50 == 49) {
                throw new IllegalStateException("no page " + number);
            }
            request.getSession().setAttribute("last", number);
            response.setContentType("text/plain;charset=UTF-8");
            StringBuilder text = new StringBuilder();
            for (int i = 0; i <= number % 200; i++) {
                text.append("line ").append(i * number).append('\n');
            }
            response.getWriter().print(text);
        }

        @Override
        protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
            CRC32 crc = new CRC32();
            crc.update(request.getInputStream().readAllBytes());
            response.getWriter().print(crc.getValue());
        }
    }

    public static void main(String[] args) throws Exception {
        int clients = Integer.parseInt(args[0]);
        int requests = Integer.parseInt(args[1]);
        // Tomcat logs the errors of the servlet, with the time.
        LogManager.getLogManager().reset();
        Path folder = Files.createTempDirectory("pages");
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(folder.toString());
        tomcat.setPort(0);
        Context context = tomcat.addContext("", folder.toString());
        Tomcat.addServlet(context, "page", new Page());
        context.addServletMappingDecoded("/page", "page");
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        tomcat.getConnector().setProperty("maxThreads", "40");
        tomcat.start();
        String address = "http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + "/page";

        ExecutorService load = Executors.newFixedThreadPool(clients);
        List<Future<long[]>> results = new ArrayList<>();
        for (int client = 0; client < clients; client++) {
            int first = client * requests;
            results.add(load.submit(() -> ask(address, first, requests)));
        }
        long[] sum = new long[4];
        for (Future<long[]> result : results) {
            for (int i = 0; i < sum.length; i++) {
                sum[i] += result.get()[i];
            }
        }
        load.shutdown();
        tomcat.stop();
        tomcat.destroy();
        System.out.println(sum[0] + " pages, " + sum[1] + " errors of the servlet, " + sum[2]
            + " uploads, checksum " + sum[3]);
        // The client's own threads would keep the JVM alive.
        System.exit(0);
    }

    private static long[] ask(String address, int first, int requests) throws Exception {
        // One connection for each client, kept alive.
        HttpClient client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        long[] sum = new long[4];
        for (int number = first; number < first + requests; number++) {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(address + "?number=" + number))
                .timeout(Duration.ofMinutes(2));
            if (number % 7 == 3) {
                request.POST(HttpRequest.BodyPublishers.ofByteArray(new byte[number % 5000]));
            }
            HttpResponse<byte[]> response = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            if (response.statusCode() == 500 && number % 50 == 49) {
                sum[1]++;
            } else if (response.statusCode() == 200) {
                sum[number % 7 == 3 ? 2 : 0]++;
                CRC32 crc = new CRC32();
                crc.update(response.body());
                sum[3] += crc.getValue();
            }
        }
        return sum;
    }
}
