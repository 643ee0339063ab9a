def function_8(a, b):
    return 8
