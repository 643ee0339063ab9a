def function_12(a, b):
    return 12
