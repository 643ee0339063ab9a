import java.util.ArrayList;
import java.util.List;
import league.Row;
import league.Standings;

public class Grading {
    private static int number = 0;
    private static boolean allGood = true;
    private static final int W = Standings.WIN;
    private static final int G = Standings.GIFT;

    private interface Body {
        void run();
    }

    public static void main(String[] arguments) {
        test("nothing played", () -> {
            rows(List.of());
            rows(List.of("", "# Reds - Owls 2:1", "   "));
        });
        test("points and goals", () -> rows(
            List.of("A - B 3:1", "B - C 0:0", "C - A 2:10", "B - A 4:4"),
            new Row(1, "A", 3, 17, 7, 2 * W + 1),
            new Row(2, "B", 3, 5, 7, 2),
            new Row(3, "C", 2, 2, 10, 1)));
        test("order of the teams", () -> {
            // all have one win and one defeat
            rows(List.of("P - Q 1:0", "Q - R 3:1", "R - P 2:0"),
                new Row(1, "Q", 2, 3, 2, W),
                new Row(2, "R", 2, 3, 3, W),
                new Row(3, "P", 2, 1, 2, W));
            rows(List.of("low - Mid 1:1", "High - top 3:3"),
                new Row(1, "High", 1, 3, 3, 1),
                new Row(1, "top", 1, 3, 3, 1),
                new Row(3, "low", 1, 1, 1, 1),
                new Row(3, "Mid", 1, 1, 1, 1));
            // the difference counts before the goals
            rows(List.of("A - X 5:4", "B - Y 2:0"),
                new Row(1, "B", 1, 2, 0, W),
                new Row(2, "A", 1, 5, 4, W),
                new Row(3, "X", 1, 4, 5, 0),
                new Row(4, "Y", 1, 0, 2, 0));
        });
        test("shared ranks", () -> rows(
            List.of("A - B 0:0", "C - D 2:1", "E - F 0:0"),
            new Row(1, "C", 1, 2, 1, W),
            new Row(2, "A", 1, 0, 0, 1),
            new Row(2, "B", 1, 0, 0, 1),
            new Row(2, "E", 1, 0, 0, 1),
            new Row(2, "F", 1, 0, 0, 1),
            new Row(6, "D", 1, 1, 2, 0)));
        test("matches to come", () -> rows(
            List.of("A - B 1:2", "A - C -:-", "D - E -:-"),
            new Row(1, "B", 1, 2, 1, W),
            new Row(2, "C", 0, 0, 0, 0),
            new Row(2, "D", 0, 0, 0, 0),
            new Row(2, "E", 0, 0, 0, 0),
            new Row(5, "A", 1, 1, 2, 0)));
        test("walkovers", () -> {
            rows(List.of("! A - B"), new Row(1, "B", 1, G, 0, W), new Row(2, "A", 1, 0, G, 0));
            rows(List.of("  A - B  !"), new Row(1, "A", 1, G, 0, W), new Row(2, "B", 1, 0, G, 0));
        });
        test("corrections", () -> {
            rows(List.of("A - B 1:0", "B - A 2:2", "A - B 0:3"),
                new Row(1, "B", 2, 5, 2, W + 1),
                new Row(2, "A", 2, 2, 5, 1));
            rows(List.of("A - B 1:0", "! A - B", "C - D 1:1", "C  -  D -:-"),
                new Row(1, "B", 1, G, 0, W),
                new Row(2, "C", 0, 0, 0, 0),
                new Row(2, "D", 0, 0, 0, 0),
                new Row(4, "A", 1, 0, G, 0));
        });
        test("names with blanks and digits", () -> rows(
            List.of(" Old Boys 1904   -  Saint-Marc 2    0:12 ", "Saint-Marc 2 - É 3:3"),
            new Row(1, "Saint-Marc 2", 2, 15, 3, W + 1),
            new Row(2, "É", 1, 3, 3, 1),
            new Row(3, "Old Boys 1904", 1, 0, 12, 0)));
        test("faults name their line", () -> {
            for (String bad : List.of("Reds", "Reds - Owls", "Reds - Owls 2", "Reds - Owls 2:", "Reds - Owls x:1",
                    "Reds - Owls 2:1:1", "Reds - 2:1", " - Owls 2:1", "Reds - Reds 1:1", "Reds - Owls - Greens 1:1",
                    "Reds-Owls 2:1", "Reds - Owls -1:2", "Reds - Owls 1:-", "! Reds", "!", "! - Owls",
                    "Reds - !", "Reds - Reds !")) {
                List<String> lines = new ArrayList<>(List.of("# first", "", "A - B 1:1", bad, "nonsense"));
                try {
                    Standings.@@METHOD@@(lines);
                } catch (IllegalArgumentException fault) {
                    if (fault.getMessage() != null && fault.getMessage().startsWith("line 4:")) {
                        continue;
                    }
                    throw new IllegalStateException(bad + ": " + fault);
                }
                throw new IllegalStateException("taken: " + bad);
            }
        });
        System.out.println("1.." + number);
        System.exit(allGood ? 0 : 1);
    }

    private static void test(String name, Body body) {
        number++;
        try {
            body.run();
            System.out.println("ok " + number + " - " + name);
        } catch (RuntimeException fault) {
            allGood = false;
            System.out.println("not ok " + number + " - " + name + "\n# " + fault);
        }
    }

    private static void rows(List<String> lines, Row... wanted) {
        List<Row> got = Standings.@@METHOD@@(lines);
        if (!got.equals(List.of(wanted))) {
            throw new IllegalStateException(lines + "\n# wanted " + List.of(wanted) + "\n# got    " + got);
        }
    }
}
