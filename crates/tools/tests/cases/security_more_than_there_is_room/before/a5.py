import os
os.system(line)
x = 1
os.system(line)
