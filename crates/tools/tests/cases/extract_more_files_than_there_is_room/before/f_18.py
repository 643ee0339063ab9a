def function_18(a, b):
    return 18
