def function_29(a, b):
    return 29
