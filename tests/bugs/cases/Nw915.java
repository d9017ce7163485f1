package app;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion;
import office.Office;

/** Orders of other shops are checked before they are taken. */
public final class Nw915 {
    private static final String SCHEMA =
            """
            {"type": "object", "properties": {"orders": {"type": "array", "items": {
              "type": "object", "required": ["id"], "properties": {
                "id": {"type": "integer", "minimum": 0},
                "name": {"type": "string"},
                "address": {"type": "object", "properties": {
                  "city": {"type": "string"}, "zip": {"type": "integer"}}}}}}}}
            """;

    private final ObjectMapper mapper = new ObjectMapper();
    private final JsonSchema schema =
            JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V7).getSchema(SCHEMA);

    public static void main(String[] arguments) throws JsonProcessingException {
        Nw915 shop = new Nw915();
        int days = Office.days(arguments, 5);
        for (int day = 0; day < days; day++) {
            Office.morning(day);
            Office.add(shop.orders(day));
            Office.afternoon(day);
        }
        Office.close();
    }

    private long orders(int day) throws JsonProcessingException {
        StringBuilder text = new StringBuilder("{\"orders\":[");
        for (int order = 0; order < 260; order++) {
            text.append(order > 0 ? "," : "").append("{\"id\":").append(day + order);
            text.append(",\"name\":\"name ").append(order).append("\",\"address\":{\"city\":\"city ");
            text.append(order).append("\",\"zip\":").append(order).append("}}");
        }
        return 1 + schema.validate(mapper.readTree(text.append("]}").toString())).size();
    }
}
