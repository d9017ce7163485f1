package app;

import office.Ledger;
import office.Office;

/** A ledger in a database. */
public final class UpH2 {
    public static void main(String[] arguments) {
        int days = Office.days(arguments, 40);
        for (int day = 0; day < days; day++) {
            Office.add(Ledger.run(day));
        }
        Office.close();
    }
}
