def function_15(a, b):
    return 15
