def function_22(a, b):
    return 22
