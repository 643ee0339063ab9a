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
    if not items:
        return []
    size = max(map(len, items)) + GAP
    count = max(1, (width + GAP) // size)
    lines = -(-len(items) // count)
    result = []
    for line in range(lines):
        result.append("".join(item.ljust(size) for item in items[line::lines]).rstrip())
    return result
