import os, hashlib, tempfile
a = hashlib.md5(b"x")
b = tempfile.mktemp()
os.system("rm " + b)
