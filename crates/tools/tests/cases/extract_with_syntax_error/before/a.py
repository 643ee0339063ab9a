def one(:
    pass

def two(a, b):
    return a
