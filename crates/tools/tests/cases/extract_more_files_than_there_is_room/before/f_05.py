def function_5(a, b):
    return 5
