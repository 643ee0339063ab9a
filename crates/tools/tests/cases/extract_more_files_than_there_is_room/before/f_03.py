def function_3(a, b):
    return 3
