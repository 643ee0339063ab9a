package sprinkle.model;

/** Rain is expected on a day, for a zone or for all of them. */
public record Rain(int day, int zone) {
    public boolean everywhere() {
        return zone == 0;
    }
}
