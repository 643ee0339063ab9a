"""Names of people, for lists and letters."""


def sort_key(name):
    """The last word first, so that a list is in order of family names."""
    words = name.split()
    return " ".join(words[-1:] + words[:-1]).lower()


def greeting(name, formal=False):
    """How a letter begins."""
    if formal:
        return f"Dear {name},"
    return f"Hello {name.split()[0]},"


def @@FN@@(name):
    """The first letters of all words, like A@@MARK@@L@@MARK@@"""
    return "".join(word[0].upper() + "@@MARK@@" for word in name.split())
