def function_9(a, b):
    return 9
