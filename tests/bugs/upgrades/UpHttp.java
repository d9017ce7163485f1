package app;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import office.Letters;
import office.Office;

/** Requests come in by HTTP, and are answered. */
public final class UpHttp {
    public static void main(String[] arguments) {
        // One buffer in a hundred would be watched, by chance which one.
        System.setProperty("io.netty.leakDetection.level", "disabled");
        System.setProperty("io.netty.leakDetectionLevel", "disabled");
        int days = Office.days(arguments, 40);
        for (int day = 0; day < days; day++) {
            Random random = new Random(day);
            EmbeddedChannel in = new EmbeddedChannel(new HttpRequestDecoder(), new HttpObjectAggregator(65_536));
            EmbeddedChannel out = new EmbeddedChannel(new HttpResponseEncoder());
            for (int request = 0; request < 80; request++) {
                in.writeInbound(Unpooled.wrappedBuffer(request(random).getBytes(StandardCharsets.US_ASCII)));
                Office.add(answered((FullHttpRequest) in.readInbound(), out));
            }
            in.finish();
            out.finish();
        }
        Office.close();
    }

    private static String request(Random random) {
        String letter = Letters.letter(random);
        return "POST /letters/" + random.nextInt(900) + "?clerk=Ada+B.&desk=" + random.nextInt(40) + "&open=%20yes HTTP/1.1\r\n"
                + "Host: office.example.org\r\n"
                + "User-Agent: clerk/1.0 (letters; paper)\r\n"
                + "Accept: text/html, application/xml;q=0.9, */*;q=0.8\r\n"
                + "Accept-Language: en, de;q=0.7\r\n"
                + "Cookie: desk=" + random.nextInt(40) + "; session=" + Long.toHexString(random.nextLong()) + "\r\n"
                + "Content-Type: text/plain\r\n"
                + "Content-Length: " + letter.length() + "\r\n\r\n" + letter;
    }

    private static long answered(FullHttpRequest request, EmbeddedChannel out) {
        QueryStringDecoder query = new QueryStringDecoder(request.getUri());
        ByteBuf text = Unpooled.copiedBuffer("<p>" + query.parameters() + "</p>", StandardCharsets.UTF_8);
        DefaultFullHttpResponse response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, text);
        response.headers().set("Content-Type", "text/html; charset=UTF-8");
        response.headers().set("Content-Length", String.valueOf(text.readableBytes()));
        response.headers().set("Cache-Control", "no-cache");
        response.headers().set("X-Agent", request.headers().get("user-agent"));
        out.writeOutbound(response);
        long sum = request.content().readableBytes();
        request.release();
        for (ByteBuf bytes = (ByteBuf) out.readOutbound(); bytes != null; bytes = (ByteBuf) out.readOutbound()) {
            sum = sum * 31 + bytes.readableBytes();
            bytes.release();
        }
        return sum;
    }
}
