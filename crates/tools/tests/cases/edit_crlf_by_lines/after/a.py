if a:
    b()
    d()
    c()
