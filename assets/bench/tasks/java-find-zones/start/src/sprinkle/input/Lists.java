package sprinkle.input;

import java.util.List;
import sprinkle.model.Minutes;
import sprinkle.model.Rain;
import sprinkle.model.Run;
import sprinkle.model.Zone;

/** Reads the lists people write. */
public final class Lists {
    private Lists() {}

    public static List<Zone> zones(String text) {
        return Lines.of(text, 3).stream()
            .map(words -> new Zone(Integer.valueOf(words[0]), Integer.parseInt(words[1]), words[2]))
            .toList();
    }

    public static List<Run> runs(String text) {
        return Lines.of(text, 4).stream()
            .map(words -> new Run(Integer.parseInt(words[0]), Integer.valueOf(words[1]), Minutes.parse(words[2]),
                Integer.parseInt(words[3])))
            .toList();
    }

    public static List<Rain> rain(String text) {
        return Lines.of(text, 2).stream()
            .map(words -> new Rain(Integer.parseInt(words[0]), words[1].equals("all") ? null : Integer.valueOf(words[1])))
            .toList();
    }
}
