"""How long each try may take."""

LONGEST = @@CAP@@


def waits(timeout, tries):
    """The seconds of each try, one after the other."""
    return [min(timeout * 2**number, LONGEST) for number in range(tries)]
