package sprinkle.bill;

import java.util.List;
import sprinkle.model.Run;
import sprinkle.plan.Plan;

/** The bill over all days of a plan. */
public record Bill(List<Item> items) {
    public static Bill of(Plan plan) {
        List<Run> runs = plan.watered();
        return new Bill(plan.zones().stream()
            .map(zone -> {
                int litres = Meter.litres(zone, runs);
                return new Item(zone.number(), zone.name(), litres, Price.cents(litres));
            })
            .toList());
    }

    public int cents() {
        return items.stream().mapToInt(Item::cents).sum();
    }
}
