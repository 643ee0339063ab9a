package league;

/** One line of the table. */
public record Row(int rank, String team, int games, int scored, int against, int points) {
    public int difference() {
        return scored - against;
    }
}
