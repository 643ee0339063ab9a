import java.util.List;
import sprinkle.bill.Bill;
import sprinkle.input.Lists;
import sprinkle.plan.Clashes;
import sprinkle.plan.Plan;
import sprinkle.plan.Pump;

public class SelfTest {
    private static int failed = 0;

    public static void main(String[] arguments) {
        Plan plan = new Plan(
            Lists.zones("1 12 herbs\n2 20 ferns\n48 35 lawn by the gate\n"),
            Lists.runs("1 1 05:30 20\n1 2 05:40 30\n2 48 06:00 10\n2 48 06:09 10\n3 1 05:00 15\n"),
            Lists.rain("3 1\n"));
        check("litres", 240, Bill.of(plan).items().get(0).litres());
        check("clashes", "[zone 48 on day 2: 06:00 and 06:09]", Clashes.of(plan.watered()));
        check("days", List.of(1, 2, 3), plan.days());
        check("pump", 32, Pump.peak(plan, 1));
        System.exit(failed == 0 ? 0 : 1);
    }

    private static void check(String what, Object wanted, Object got) {
        if (!wanted.toString().equals(got.toString())) {
            failed++;
            System.out.println(what + ": wanted " + wanted + ", got " + got);
        }
    }
}
