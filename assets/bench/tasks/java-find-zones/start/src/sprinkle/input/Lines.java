package sprinkle.input;

import java.util.ArrayList;
import java.util.List;

/** Lines of a list, split at blanks. */
final class Lines {
    private Lines() {}

    /** At most `columns` words a line; the last one may hold blanks. */
    static List<String[]> of(String text, int columns) {
        List<String[]> result = new ArrayList<>();
        for (String line : text.split("\n")) {
            String stripped = line.strip();
            if (stripped.isEmpty() || stripped.startsWith("#")) {
                continue;
            }
            String[] words = stripped.split("\\s+", columns);
            if (words.length < columns) {
                throw new IllegalArgumentException("too short: " + stripped);
            }
            result.add(words);
        }
        return result;
    }
}
