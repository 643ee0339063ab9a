def page_list(text):
    numbers = []
    for part in text.split(","):
        if "-" in part:
            first, last = part.split("-")
            numbers.extend(range(int(first), int(last) + 1))
        else:
            numbers.append(int(part))
    return numbers
