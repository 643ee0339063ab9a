package sprinkle.plan;

import java.util.List;
import sprinkle.model.Rain;
import sprinkle.model.Run;

/** Whether rain does the work. */
final class Forecast {
    private Forecast() {}

    static boolean wet(List<Rain> rain, Run run) {
        return rain.stream()
            .filter(entry -> entry.day() == run.day())
            .anyMatch(entry -> entry.everywhere() || entry.zone().equals(run.zone()));
    }
}
