package sprinkle.model;

/** Times of the day as minutes after midnight. */
public final class Minutes {
    private Minutes() {}

    public static int parse(String text) {
        String[] parts = text.split(":");
        if (parts.length != 2) {
            throw new IllegalArgumentException("no time: " + text);
        }
        int hour = Integer.parseInt(parts[0]);
        int minute = Integer.parseInt(parts[1]);
        if (hour < 0 || hour > 23 || minute < 0 || minute > 59) {
            throw new IllegalArgumentException("no time: " + text);
        }
        return hour * 60 + minute;
    }

    public static String text(int minutes) {
        return String.format("%02d:%02d", minutes / 60, minutes % 60);
    }
}
