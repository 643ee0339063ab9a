def function_25(a, b):
    return 25
