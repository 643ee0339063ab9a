def function_21(a, b):
    return 21
