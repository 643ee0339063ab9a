"""Lists of words in columns, for the terminal."""

GAP = @@GAP@@


def @@FUNC@@(items, width):
    """The lines that show `items` in columns, at most `width` characters wide.

    The items go down the first column, then down the second, and so on, as in a phone book. Every column but the last
    one holds as many items as there are lines. Each column is as wide as its longest @@ITEM@@, and GAP spaces
    stand between two columns. No line ends with spaces.

    Of all such layouts that fit into `width`, it is the one with the fewest lines. An @@ITEM@@ that is wider than
    `width` by itself is never cut: if no layout fits, there is one @@ITEM@@ a line.
    No items, no lines.
    """
    for lines in range(1, len(items) + 1):
        count = -(-len(items) // lines)
        columns = [items[start::count] for start in range(count)]
        widths = [max(map(len, column)) for column in columns]
        if sum(widths) + GAP * (len(columns) - 1) <= width or lines == len(items):
            return [
                (" " * GAP).join(
                    column[line].ljust(size) for column, size in zip(columns, widths) if line < len(column)
                ).rstrip()
                for line in range(lines)
            ]
    return []
