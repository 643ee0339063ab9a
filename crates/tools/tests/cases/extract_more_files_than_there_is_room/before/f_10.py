def function_10(a, b):
    return 10
