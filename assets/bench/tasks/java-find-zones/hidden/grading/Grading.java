import java.util.List;
import sprinkle.bill.Bill;
import sprinkle.bill.BillText;
import sprinkle.bill.Item;
import sprinkle.input.Lists;
import sprinkle.plan.Clashes;
import sprinkle.plan.Day;
import sprinkle.plan.Plan;

public class Grading {
    private static int number = 0;
    private static boolean allGood = true;
    private static final int A = @@N@@;
    private static final int B = @@N@@ + 1;
    private static final String ZONES = "7 10 beans\n" + A + " 60 west\n" + B + " 50 east\n";

    public static void main(String[] arguments) {
        Plan old = plan("1 7 05:00 10\n1 7 05:05 10\n2 7 06:00 30\n", "2 7\n");
        test("zones of the old garden", List.of("[zone 7 on day 1: 05:00 and 05:05]", 200),
            List.of(Clashes.of(old.watered()).toString(), litres(old, 0)));

        Plan water = plan("1 " + A + " 05:00 20\n1 " + B + " 05:00 7\n2 " + A + " 05:00 13\n", "");
        test("water of the new field", List.of(0, 33 * 60, 7 * 50),
            List.of(litres(water, 0), litres(water, 1), litres(water, 2)));

        Plan rain = plan("4 " + A + " 05:00 20\n4 " + B + " 06:00 20\n5 " + A + " 05:00 20\n", "4 " + A + "\n9 " + B + "\n");
        test("rain on the new field",
            List.of("day 4\n  06:00-06:20 zone " + B, "day 5\n  05:00-05:20 zone " + A, 2),
            List.of(Day.text(rain, 4), Day.text(rain, 5), rain.watered().size()));

        Plan clashes = plan("1 " + A + " 05:00 20\n1 " + B + " 05:10 20\n1 " + A + " 05:20 20\n1 " + A + " 05:39 20\n2 " + A + " 05:00 90\n", "");
        test("clashes on the new field", "[zone " + A + " on day 1: 05:20 and 05:39]", Clashes.of(clashes.watered()));

        Plan all = plan("1 7 05:00 10\n1 " + A + " 05:00 20\n2 " + B + " 05:10 20\n", "1 all\n");
        test("rain everywhere", List.of("day 1\n  nothing", 1), List.of(Day.text(all, 1), all.watered().size()));

        Plan whole = plan("1 7 05:00 11\n1 " + A + " 05:00 20\n2 " + B + " 05:10 20\n3 " + B + " 05:10 20\n", "3 " + B + "\n");
        Bill bill = Bill.of(whole);
        test("the bill as a whole",
            List.of(List.of(new Item(7, "beans", 110, 2 * @@PRICE@@), new Item(A, "west", 1200, 12 * @@PRICE@@), new Item(B, "east", 1000, 10 * @@PRICE@@)), 24 * @@PRICE@@),
            List.of(bill.items(), bill.cents()));
        if (BillText.text(bill).lines().count() != 4) {
            allGood = false;
        }

        System.out.println("1.." + number);
        System.exit(allGood ? 0 : 1);
    }

    private static Plan plan(String runs, String rain) {
        return new Plan(Lists.zones(ZONES), Lists.runs(runs), Lists.rain(rain));
    }

    private static int litres(Plan plan, int place) {
        return Bill.of(plan).items().get(place).litres();
    }

    private static void test(String name, Object wanted, Object got) {
        number++;
        boolean good = wanted.toString().equals(got.toString());
        allGood &= good;
        System.out.println((good ? "ok " : "not ok ") + number + " - " + name);
        if (!good) {
            System.out.println("# wanted " + wanted + "\n# got    " + got);
        }
    }
}
