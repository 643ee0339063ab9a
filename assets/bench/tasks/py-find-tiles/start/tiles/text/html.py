from html import escape


def page(rows):
    return "<pre>" + escape("\n".join(rows)) + "</pre>"
