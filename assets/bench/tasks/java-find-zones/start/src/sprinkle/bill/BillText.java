package sprinkle.bill;

import java.util.stream.Collectors;

/** The bill as it is printed. */
public final class BillText {
    private BillText() {}

    public static String text(Bill bill) {
        String items = bill.items().stream()
            .map(item -> String.format("%4d %-20s %7d l %s", item.zone(), item.name(), item.litres(), money(item.cents())))
            .collect(Collectors.joining("\n"));
        return items + "\ntotal " + money(bill.cents());
    }

    private static String money(int cents) {
        return String.format("%d.%02d", cents / 100, cents % 100);
    }
}
