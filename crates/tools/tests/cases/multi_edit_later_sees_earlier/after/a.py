def f():
    x = 5
    return x
