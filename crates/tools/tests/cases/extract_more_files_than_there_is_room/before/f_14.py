def function_14(a, b):
    return 14
