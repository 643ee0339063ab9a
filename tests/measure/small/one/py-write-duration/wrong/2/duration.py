UNITS = {"h": 3600, "m": 60, "s": 1}


def seconds(text):
    if text[-1] not in UNITS:
        raise ValueError("not a duration")
    return int(text[:-1]) * UNITS[text[-1]]
