package app;

import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import office.Office;
import org.json.JSONArray;
import org.json.JSONObject;

/** Readings of sensors as JSON, most of which lack some of the fields. */
public final class Orgjson337 {
    private static final String[] OPTIONAL = {"humidity", "pressure", "wind", "battery"};

    public static void main(String[] arguments) {
        int days = Office.days(arguments, 5);
        for (int day = 0; day < days; day++) {
            Office.morning(day);
            Office.add(summary(readings(new Random(day))));
            Office.afternoon(day);
        }
        Office.close();
    }

    private static String readings(Random random) {
        JSONArray readings = new JSONArray();
        for (int number = 0; number < 700; number++) {
            JSONObject reading = new JSONObject();
            reading.put("sensor", "s" + random.nextInt(25));
            reading.put("time", 1_500_000_000L + number * 60L);
            reading.put("temperature", random.nextInt(400) / 10.0);
            for (String field : OPTIONAL) {
                if (random.nextInt(4) == 0) {
                    reading.put(field, random.nextInt(1_000));
                }
            }
            readings.put(reading);
        }
        return readings.toString();
    }

    private static long summary(String text) {
        Map<String, double[]> sensors = new TreeMap<>();
        JSONArray readings = new JSONArray(text);
        for (int number = 0; number < readings.length(); number++) {
            JSONObject reading = readings.getJSONObject(number);
            double[] sums = sensors.computeIfAbsent(reading.getString("sensor"), sensor -> new double[6]);
            sums[0] += reading.getDouble("temperature");
            sums[1] += reading.optDouble("humidity", 0);
            sums[2] += reading.optDouble("pressure", 0);
            sums[3] += reading.optInt("wind");
            sums[4] = Math.max(sums[4], reading.optInt("battery", 0));
            sums[5] += reading.optBoolean("failed") ? 1 : 0;
        }
        long sum = 0;
        for (Map.Entry<String, double[]> sensor : sensors.entrySet()) {
            for (double value : sensor.getValue()) {
                sum = sum * 31 + Math.round(value * 10);
            }
        }
        return sum;
    }
}
