if a:
    b()
    c()
