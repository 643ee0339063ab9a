"""When the @@BED@@ of the allotment have to be watered."""

LIMIT_MM = @@LIMIT@@


def @@FUNC@@(rain):
    """Return the numbers of the days on which the @@BED@@ must be watered.

    `rain` is a list with the rain of each day in millimetres; the first day
    is number 0. A day needs water when the rain of that day and the rain of
    the day before come to less than LIMIT_MM together. Before the first day
    there was no rain. The numbers are returned as a list, in order.
    """
    raise NotImplementedError
