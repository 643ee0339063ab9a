def function_20(a, b):
    return 20
