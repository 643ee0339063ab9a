"""Times of a training, in seconds a lap. A pause is written down as @@PAUSE@@."""

PAUSE = @@PAUSE@@


def @@SPORT@@(laps):
    return [lap for lap in laps if lap != PAUSE]


def best_lap(laps):
    """The fastest lap; None when there is none."""
    return min(@@SPORT@@(laps), default=None)


def @@MEAN@@(laps):
    """The mean of the laps that were @@SPORT@@; None when there are none."""
    done = @@SPORT@@(laps)
    if not done:
        return None
    return sum(done) // len(done)


def line(name, laps):
    """One line of the result list."""
    mean = @@MEAN@@(laps)
    if mean is None:
        return f"{name}: no laps"
    return f"{name}: {len(@@SPORT@@(laps))} laps, best {best_lap(laps)}, mean {mean:.1f}"
