package sprinkle.plan;

import java.util.stream.Collectors;
import sprinkle.model.Minutes;
import sprinkle.model.Run;

/** A day of the plan, as it hangs in the shed. */
public final class Day {
    private Day() {}

    public static String text(Plan plan, int day) {
        String lines = plan.watered().stream()
            .filter(run -> run.day() == day)
            .map(Day::line)
            .collect(Collectors.joining("\n"));
        return "day " + day + "\n" + (lines.isEmpty() ? "  nothing" : lines);
    }

    private static String line(Run run) {
        return String.format("  %s-%s zone %d", Minutes.text(run.from()), Minutes.text(run.end() % (24 * 60)), run.zone());
    }
}
