import java.util.List;
import league.Row;
import league.Standings;

public class StandingsTest {
    private static int number = 0;
    private static int failed = 0;

    public static void main(String[] arguments) {
        check("two matches", List.of(
                new Row(1, "Reds", 2, 4, 3, Standings.WIN + 1),
                new Row(2, "Owls", 1, 2, 2, 1),
                new Row(3, "Greens", 1, 1, 2, 0)),
            List.of("Reds - Owls 2:2", "", "Greens - Reds 1:2"));
        System.out.println("1.." + number);
        System.exit(failed == 0 ? 0 : 1);
    }

    private static void check(String name, List<Row> wanted, List<String> lines) {
        number++;
        String got;
        try {
            got = Standings.@@METHOD@@(lines).toString();
        } catch (RuntimeException fault) {
            got = fault.toString();
        }
        boolean good = got.equals(wanted.toString());
        System.out.println((good ? "ok " : "not ok ") + number + " - " + name);
        if (!good) {
            failed++;
            System.out.println("# wanted " + wanted + "\n# got    " + got);
        }
    }
}
