"""Numbers of member cards."""


def @@FN@@(text):
    return "@@SIGN@@" * (len(text) - @@KEEP@@) + text[-@@KEEP@@:]
