package sprinkle.model;

/** Rain is expected on a day, for a zone or (null) for all of them. */
public record Rain(int day, Integer zone) {
    public boolean everywhere() {
        return zone == null;
    }
}
