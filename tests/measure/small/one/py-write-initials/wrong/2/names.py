"""Names of people, for lists and letters."""


def @@FN@@(name):
    return "".join(word[0].upper() + "@@MARK@@" for word in name.split())
