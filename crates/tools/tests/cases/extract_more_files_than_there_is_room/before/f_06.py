def function_6(a, b):
    return 6
