package sprinkle.plan;

import java.util.Comparator;
import java.util.List;
import sprinkle.model.Rain;
import sprinkle.model.Run;
import sprinkle.model.Zone;

/** Everything that is planned. */
public record Plan(List<Zone> zones, List<Run> runs, List<Rain> rain) {
    /** The runs that are carried out, in the order in which they begin. */
    public List<Run> watered() {
        return runs.stream()
            .filter(run -> !Forecast.wet(rain, run))
            .sorted(Comparator.comparingInt(Run::day).thenComparingInt(Run::from))
            .toList();
    }

    public List<Integer> days() {
        return runs.stream().map(Run::day).distinct().sorted().toList();
    }
}
