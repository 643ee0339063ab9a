import os, requests

# os.system("rm " + name) would be wrong
def remove(name):
    os.system("rm " + name)
    os.system("ls " + name)
    requests.get(name, verify=False)
