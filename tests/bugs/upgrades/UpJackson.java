package app;

import office.Office;
import office.Service;

/** A service that speaks JSON. */
public final class UpJackson {
    public static void main(String[] arguments) {
        int days = Office.days(arguments, 60);
        for (int day = 0; day < days; day++) {
            Office.add(Service.run(day));
        }
        Office.close();
    }
}
