package sprinkle.model;

/** A part of the grounds with its own valve. */
public record Zone(int number, int litresPerMinute, String name) {}
