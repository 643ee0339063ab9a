def function_28(a, b):
    return 28
