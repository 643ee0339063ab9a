package sprinkle.bill;

/** What water costs. */
final class Price {
    /** Cents for each begun hundred litres. */
    static final int HUNDRED = @@PRICE@@;

    private Price() {}

    static int cents(int litres) {
        return (litres + 99) / 100 * HUNDRED;
    }
}
