def plain(rows):
    return "\n".join(rows)
