import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultHttpRequest;
import jakarta.persistence.EntityManager;
import jakarta.servlet.http.HttpServletRequest;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.springframework.web.method.support.InvocableHandlerMethod;

/** Classes with the names and methods of libraries, as far as presets of split look at them. */
public final class UsesPresets {
    /** Counts what it is asked: the agent's questions must change nothing of the counts. */
    static final class Request implements HttpServletRequest {
        private final String path;

        Request(String path) {
            this.path = path;
        }

        @Override
        public String getMethod() {
            return path == null ? null : "POST";
        }

        @Override
        public String getRequestURI() {
            if (path.isEmpty()) {
                throw new IllegalStateException("nothing was asked for");
            }
            return asked(path);
        }

        private static String asked(String path) {
            return path.trim();
        }
    }

    static final class Servlet {
        int served;

        void service(HttpServletRequest request, Object response) {
            served++;
        }
    }

    static final class Producer {
        Future<?> send(ProducerRecord message, Callback callback) {
            return CompletableFuture.completedFuture(message);
        }
    }

    static final class Listener {
        int heard;

        void onMessage(ConsumerRecord message) {
            heard += message.topic().length();
        }
    }

    static final class Manager implements EntityManager {
        @Override
        public Object createQuery(String query) {
            return query.length();
        }

        @Override
        public Object find(Class<?> type, Object key) {
            return key;
        }
    }

    static final class Reader extends SimpleChannelInboundHandler {
        int read;

        @Override
        protected void channelRead0(ChannelHandlerContext context, Object message) {
            read++;
        }
    }

    public static void main(String[] arguments) {
        Servlet servlet = new Servlet();
        // The last ones: null, a method that is null, and a path that throws.
        for (String path : new String[] {"/orders/17", "/orders/18", "/totals", null, ""}) {
            servlet.service(path == null ? null : new Request(path), null);
        }
        servlet.service(new Request(null), null);
        InvocableHandlerMethod handler = new InvocableHandlerMethod("shop.Orders#list(String)");
        Object length = 0;
        for (int i = 0; i < 3; i++) {
            length = handler.invokeForRequest(null, null);
        }
        Producer producer = new Producer();
        Listener listener = new Listener();
        for (int i = 0; i < 4; i++) {
            producer.send(new ProducerRecord(i == 0 ? "orders" : "paid"), null);
            listener.onMessage(new ConsumerRecord());
        }
        EntityManager manager = new Manager();
        for (int i = 0; i < 5; i++) {
            manager.createQuery("select o from Orders o where o.id = " + i);
            manager.find(Request.class, i);
        }
        Reader reader = new Reader();
        for (Object message : new Object[] {new DefaultHttpRequest("/a/1"), "text", null}) {
            reader.channelRead(null, message);
        }
        System.out.println(servlet.served + " " + length + " " + listener.heard + " " + reader.read);
    }
}
