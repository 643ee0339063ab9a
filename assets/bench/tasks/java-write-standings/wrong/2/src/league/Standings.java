package league;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The table of a league. */
public final class Standings {
    /** Points for a won match; a drawn one gives 1. */
    public static final int WIN = @@WIN@@;

    /** The goals a team gets if the other one did not come. */
    public static final int GIFT = @@GIFT@@;

    private Standings() {}

    /**
     * Computes the table from lines such as these:
     *
     * <pre>
     * Reds - Blue Owls 2:1       a match and its goals
     * Blue Owls - Reds -:-       a match to come
     * ! Reds - Greens            Reds did not come: they lost 0:GIFT
     * Reds - Greens !            Greens did not come: they lost GIFT:0
     * # anything                 a remark; skipped, like empty lines
     * </pre>
     *
     * <ul>
     * <li>Between the two names stands " - ", once in a line; blanks around a name
     *     do not belong to it, blanks and single hyphens inside do. A name is not
     *     empty, and a team does not play against itself.
     * <li>Each team named in any match has a row, even if it has not played yet.
     * <li>A later line about the same match, that is the same two teams with the
     *     same one first, replaces the earlier line.
     * <li>Teams are ordered by points, then by difference of goals, then by goals
     *     scored, each time the higher first, then by name, upper and lower case
     *     being the same.
     * <li>Teams that are equal in points, difference and goals scored have the same
     *     rank; the following rank counts all before it (1, 2, 2, 4).
     * </ul>
     *
     * @throws IllegalArgumentException if a line is none of these; its message
     *     begins with "line 3:" for the third line (remarks and empty ones counted)
     */
    public static List<Row> @@METHOD@@(List<String> lines) {
        Map<List<String>, int[]> matches = new LinkedHashMap<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                read(line, i + 1, matches);
            }
        }
        Map<String, int[]> sums = new TreeMap<>();
        matches.forEach((teams, goals) -> {
            int[] home = sums.computeIfAbsent(teams.get(0), name -> new int[4]);
            int[] away = sums.computeIfAbsent(teams.get(1), name -> new int[4]);
            if (goals != null) {
                count(home, goals[0], goals[1]);
                count(away, goals[1], goals[0]);
            }
        });
        List<Row> rows = new ArrayList<>();
        sums.forEach((team, s) -> rows.add(new Row(0, team, s[0], s[1], s[2], s[3])));
        rows.sort(BETTER.thenComparing(Row::team, String.CASE_INSENSITIVE_ORDER));
        for (int i = 0; i < rows.size(); i++) {
            Row row = rows.get(i);
            boolean shared = i > 0 && BETTER.compare(rows.get(i - 1), row) == 0;
            int rank = shared ? rows.get(i - 1).rank() : i + 1;
            rows.set(i, new Row(rank, row.team(), row.games(), row.scored(), row.against(), row.points()));
        }
        return rows;
    }

    private static final Comparator<Row> BETTER =
        Comparator.comparingInt(Row::points).thenComparingInt(Row::difference).thenComparingInt(Row::scored).reversed();

    private static final Pattern PLAYED = Pattern.compile("(.*)\\s(\\d{1,4}:\\d{1,4}|-:-)");

    private static void count(int[] sums, int scored, int against) {
        sums[0]++;
        sums[1] += scored;
        sums[2] += against;
        sums[3] += scored > against ? WIN : scored == against ? 1 : 0;
    }

    private static void read(String line, int number, Map<List<String>, int[]> matches) {
        int[] goals = null;
        String names;
        Matcher played = PLAYED.matcher(line);
        if (line.startsWith("!")) {
            goals = new int[] {0, GIFT};
            names = line.substring(1);
            if (names.endsWith(" !") || played.matches()) {
                throw fault(number, line);
            }
        } else if (line.endsWith(" !")) {
            goals = new int[] {GIFT, 0};
            names = line.substring(0, line.length() - 1);
        } else if (played.matches()) {
            names = played.group(1);
            if (!played.group(2).equals("-:-")) {
                String[] parts = played.group(2).split(":");
                goals = new int[] {Integer.parseInt(parts[0]), Integer.parseInt(parts[1])};
            }
        } else {
            throw fault(number, line);
        }
        String[] teams = names.split(" - ", -1);
        if (teams.length != 2) {
            throw fault(number, line);
        }
        String home = teams[0].strip();
        String away = teams[1].strip();
        if (home.isEmpty() || away.isEmpty() || home.equals(away)) {
            throw fault(number, line);
        }
        matches.put(List.of(home, away, String.valueOf(number)), goals);
    }

    private static IllegalArgumentException fault(int number, String line) {
        return new IllegalArgumentException("line " + number + ": cannot read '" + line + "'");
    }
}
