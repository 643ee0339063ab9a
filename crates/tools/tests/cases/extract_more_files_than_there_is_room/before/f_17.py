def function_17(a, b):
    return 17
