"""The commands of the lending desk."""


def lend(shelf, words):
    title, person = words
    shelf.lend(title, person)
    return f"{person} has {title}"


def back(shelf, words):
    (title,) = words
    shelf.give_back(title)
    return f"{title} is back"


COMMANDS = {"lend": lend, "back": back}


def run(shelf, line):
    """Runs a line like `lend,Emma,Anna`."""
    command, *words = line.split(",")
    return COMMANDS[command](shelf, words)
