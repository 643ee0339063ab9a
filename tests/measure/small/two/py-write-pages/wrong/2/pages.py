import re


def page_list(text):
    if not re.fullmatch(r"[0-9,-]+", text):
        raise ValueError(text)
    numbers = []
    for first, last in re.findall(r"(\d+)(?:-(\d+))?", text):
        if last and int(last) < int(first):
            raise ValueError(text)
        numbers.extend(range(int(first), int(last or first) + 1))
    return numbers
