package app;

import java.io.StringWriter;
import office.Office;
import office.Orders;
import org.apache.velocity.VelocityContext;
import org.apache.velocity.app.VelocityEngine;

/** Bills are made from a template with macros. */
public final class UpVelocity {
    private static final String TEMPLATE = """
            #macro(line $article $count $price)$count x $article at $price#if($count > 4) (discount)#end
            #end
            #foreach($order in $orders)
            Order $order.number() for $order.customer() in $order.country()
            #set($items = 0)
            #foreach($l in $order.lines())#line($l.article() $l.count() $l.price())#set($items = $items + $l.count())#end
            $items items#if($items > 10 && $order.country() == "AT"), thank you!#else .#end
            #end
            """;

    public static void main(String[] arguments) throws Exception {
        VelocityEngine engine = new VelocityEngine();
        engine.setProperty("runtime.log.logsystem.class", "org.apache.velocity.runtime.log.NullLogChute");
        engine.init();
        int days = Office.days(arguments, 40);
        for (int day = 0; day < days; day++) {
            VelocityContext context = new VelocityContext();
            context.put("orders", Orders.make(day, 60));
            StringWriter bills = new StringWriter();
            engine.evaluate(context, bills, "bills", TEMPLATE);
            Office.add(bills.toString().length());
        }
        Office.close();
    }
}
