def function_19(a, b):
    return 19
