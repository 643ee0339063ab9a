from a import a
print(a())
