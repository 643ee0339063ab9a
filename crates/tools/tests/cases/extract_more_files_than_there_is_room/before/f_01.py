def function_1(a, b):
    return 1
