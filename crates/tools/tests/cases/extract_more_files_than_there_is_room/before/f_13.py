def function_13(a, b):
    return 13
