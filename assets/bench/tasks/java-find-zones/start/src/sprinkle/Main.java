package sprinkle;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import sprinkle.bill.Bill;
import sprinkle.bill.BillText;
import sprinkle.input.Lists;
import sprinkle.plan.Clashes;
import sprinkle.plan.Day;
import sprinkle.plan.Plan;

public final class Main {
    private Main() {}

    public static void main(String[] arguments) throws IOException {
        if (arguments.length != 3) {
            System.err.println("usage: sprinkle.Main ZONES RUNS RAIN");
            System.exit(2);
        }
        Plan plan = new Plan(
            Lists.zones(Files.readString(Path.of(arguments[0]))),
            Lists.runs(Files.readString(Path.of(arguments[1]))),
            Lists.rain(Files.readString(Path.of(arguments[2]))));
        for (int day : plan.days()) {
            System.out.println(Day.text(plan, day));
        }
        Clashes.of(plan.watered()).forEach(clash -> System.err.println("warning: " + clash));
        System.out.println(BillText.text(Bill.of(plan)));
    }
}
