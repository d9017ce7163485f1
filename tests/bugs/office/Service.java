package office;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A service that takes orders as JSON and answers in JSON (Jackson). */
public final class Service {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Service() {}

    public static long run(int round) {
        try {
            long sum = 0;
            for (Orders.Order order : Orders.make(round, 100)) {
                String request = MAPPER.writeValueAsString(map(order));
                sum = sum * 31 + answer(request).length();
            }
            return sum;
        } catch (com.fasterxml.jackson.core.JsonProcessingException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Map<String, Object> map(Orders.Order order) {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("number", order.number());
        map.put("customer", order.customer());
        map.put("country", order.country());
        map.put("lines", order.lines().stream().map(line -> List.of(line.article(), line.count(), line.price())).toList());
        return map;
    }

    private static String answer(String request) throws com.fasterxml.jackson.core.JsonProcessingException {
        JsonNode order = MAPPER.readTree(request);
        ObjectNode answer = MAPPER.createObjectNode();
        answer.put("accepted", order.get("number").asInt() % 7 != 0);
        answer.put("greeting", "Dear " + order.path("customer").asText() + ", \"thank you\"");
        ArrayNode articles = answer.putArray("articles");
        for (JsonNode line : order.get("lines")) {
            articles.addObject().put("article", line.get(0).asText()).put("count", line.get(1).asInt());
        }
        return MAPPER.writeValueAsString(answer);
    }
}
