"""Cents to text and back."""


def to_text(cents):
    return f"{cents // 100}.{cents % 100:02d}"


def to_cents(text):
    whole, _, part = text.partition(".")
    if not whole.isdigit() or (part and not part.isdigit()) or len(part) > 2:
        raise ValueError(f"not a price: {text}")
    return int(whole) * 100 + int(part.ljust(2, "0") or 0)
