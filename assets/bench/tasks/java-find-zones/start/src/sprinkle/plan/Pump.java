package sprinkle.plan;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import sprinkle.model.Run;
import sprinkle.model.Zone;

/** How much the pump has to bring. */
public final class Pump {
    private Pump() {}

    /** The most litres a minute that are wanted at the same time on a day. */
    public static int peak(Plan plan, int day) {
        Map<Integer, Integer> flow = new HashMap<>();
        for (Zone zone : plan.zones()) {
            flow.put(zone.number(), zone.litresPerMinute());
        }
        List<Run> runs = plan.watered().stream().filter(run -> run.day() == day).toList();
        int most = 0;
        for (Run begin : runs) {
            int sum = 0;
            for (Run other : runs) {
                if (other.from() <= begin.from() && begin.from() < other.end()) {
                    sum += flow.getOrDefault(other.zone(), 0);
                }
            }
            most = Math.max(most, sum);
        }
        return most;
    }
}
