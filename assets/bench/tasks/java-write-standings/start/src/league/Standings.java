package league;

import java.util.List;

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
        throw new UnsupportedOperationException("not written yet");
    }
}
