"""How long each try may take."""

LONGEST = @@CAP@@


def waits(@@NEW@@, tries):
    """The milliseconds of each try, one after the other."""
    return [min(@@NEW@@ * 2**number, LONGEST) for number in range(tries)]
