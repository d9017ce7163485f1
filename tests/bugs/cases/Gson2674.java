package app;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.ToNumberPolicy;
import java.util.List;
import java.util.Map;
import office.Office;

/** Exchange rates arrive as JSON and are read without a class of their own. */
public final class Gson2674 {
    private final Gson gson =
            new GsonBuilder().setObjectToNumberStrategy(ToNumberPolicy.LONG_OR_DOUBLE).create();

    public static void main(String[] arguments) {
        Gson2674 bank = new Gson2674();
        int days = Office.days(arguments, 5);
        for (int day = 0; day < days; day++) {
            Office.morning(day);
            Office.add(bank.rates(day));
            Office.afternoon(day);
        }
        Office.close();
    }

    private long rates(int day) {
        StringBuilder text = new StringBuilder("{\"rates\":[");
        for (int rate = 0; rate < 1_500; rate++) {
            text.append(rate > 0 ? "," : "").append(1 + rate % 90);
            text.append('.').append(10 + (rate + day) % 80);
        }
        Map<?, ?> message = (Map<?, ?>) gson.fromJson(text.append("]}").toString(), Object.class);
        double sum = 0;
        for (Object rate : (List<?>) message.get("rates")) {
            sum += ((Number) rate).doubleValue();
        }
        return Math.round(sum);
    }
}
