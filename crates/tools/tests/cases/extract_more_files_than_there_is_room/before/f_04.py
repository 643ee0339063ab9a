def function_4(a, b):
    return 4
