"""How long each try may take."""

LONGEST = @@CAP@@


def waits(@@NEW@@, tries):
    """The seconds of each try, one after the other."""
    return [min(@@NEW@@ * 2**number / 1000, LONGEST) for number in range(tries)]
