def function_26(a, b):
    return 26
