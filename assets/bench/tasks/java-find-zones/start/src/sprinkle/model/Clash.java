package sprinkle.model;

/** Two runs which want the same valve at the same time. */
public record Clash(Run first, Run second) {
    @Override
    public String toString() {
        return "zone " + first.zone() + " on day " + first.day() + ": " + Minutes.text(first.from()) + " and "
            + Minutes.text(second.from());
    }
}
