def function_23(a, b):
    return 23
