def function_24(a, b):
    return 24
