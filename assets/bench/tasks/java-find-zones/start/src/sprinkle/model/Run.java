package sprinkle.model;

/** Water for a zone: from a minute of a day on, for some minutes. */
public record Run(int day, Integer zone, int from, int minutes) {
    public int end() {
        return from + minutes;
    }
}
