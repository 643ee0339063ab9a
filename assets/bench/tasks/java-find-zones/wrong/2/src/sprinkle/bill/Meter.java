package sprinkle.bill;

import java.util.List;
import sprinkle.model.Run;
import sprinkle.model.Zone;

/** Counts water. */
final class Meter {
    private Meter() {}

    static int litres(Zone zone, List<Run> runs) {
        int minutes = 0;
        for (Run run : runs) {
            if (run.zone().equals(zone.number())) {
                minutes += run.minutes();
            }
        }
        return minutes * zone.litresPerMinute();
    }
}
