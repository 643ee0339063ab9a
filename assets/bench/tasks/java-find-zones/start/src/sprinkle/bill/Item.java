package sprinkle.bill;

/** A line of the bill. */
public record Item(int zone, String name, int litres, int cents) {}
