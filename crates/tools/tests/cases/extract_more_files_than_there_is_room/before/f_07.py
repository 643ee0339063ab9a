def function_7(a, b):
    return 7
