package sprinkle.plan;

import java.util.ArrayList;
import java.util.List;
import sprinkle.model.Clash;
import sprinkle.model.Run;

/** Finds runs of the same zone that overlap. */
public final class Clashes {
    private Clashes() {}

    public static List<Clash> of(List<Run> runs) {
        List<Clash> clashes = new ArrayList<>();
        for (int i = 0; i < runs.size(); i++) {
            for (int k = i + 1; k < runs.size(); k++) {
                if (clash(runs.get(i), runs.get(k))) {
                    clashes.add(new Clash(runs.get(i), runs.get(k)));
                }
            }
        }
        return clashes;
    }

    private static boolean clash(Run a, Run b) {
        return a.day() == b.day() && a.zone().equals(b.zone()) && a.from() < b.end() && b.from() < a.end();
    }
}
