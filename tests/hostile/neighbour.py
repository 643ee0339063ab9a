"""A program of the user's that has nothing to do with the sandbox: it holds secrets, connections and memory.

    neighbour.py BASE PORT SHM_KEY VSOCK

Lives until its standard input ends. What others do to it, it writes into files of BASE.
"""
import ctypes
import os
import select
import socket
import sys
import threading

base, port, key, vsock = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
secret = os.environ["NEIGHBOUR_SECRET"]
libc = ctypes.CDLL(None, use_errno=True)
# Whoever may at all may look at it: so only the sandbox is in the way.
libc.prctl(0x59616D61, ctypes.c_ulong(2**64 - 1), 0, 0, 0)
held = ctypes.create_string_buffer(secret.encode(), 4096)

stream = socket.create_connection(("127.0.0.1", port))
os.dup2(stream.fileno(), 7)
os.dup2(os.open(f"{base}/neighbour.log", os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), 8)

libc.shmat.restype = ctypes.c_void_p
segment = libc.shmget(key, 4096, 0o1666)
shared = ctypes.c_void_p(libc.shmat(segment, None, 0))

try:
    queues = ctypes.CDLL("librt.so.1", use_errno=True)
    queues.mq_open.argtypes = [ctypes.c_char_p, ctypes.c_int, ctypes.c_int, ctypes.c_void_p]
    queue = queues.mq_open(b"/neighbour", os.O_RDWR | os.O_CREAT | os.O_NONBLOCK, 0o666, None)
except OSError:
    queue = -1


def serve(server, name):
    while True:
        guest, _ = server.accept()
        with open(f"{base}/{name}", "ab") as file:
            file.write(guest.recv(4096) + b"\n")
        guest.close()


try:
    server = socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)
    server.bind((socket.VMADDR_CID_ANY, vsock))
    server.listen()
    threading.Thread(target=serve, args=(server, "vsock.txt"), daemon=True).start()
except OSError:
    pass
packets = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
packets.bind(f"{base}/home/odd/packets.sock")
packets.listen()
threading.Thread(target=serve, args=(packets, "packets.txt"), daemon=True).start()

print(ctypes.addressof(held), flush=True)
message = ctypes.create_string_buffer(16384)
while not select.select([0], [], [], 0.02)[0]:
    words = ctypes.string_at(shared, 256).split(b"\0")[0]
    if words:
        with open(f"{base}/shared.txt", "ab") as file:
            file.write(words + b"\n")
        ctypes.memset(shared, 0, 256)
    if held.value != secret.encode():
        with open(f"{base}/memory.txt", "ab") as file:
            file.write(held.value + b"\n")
    if queue >= 0 and (length := queues.mq_receive(queue, message, 16384, None)) > 0:
        with open(f"{base}/queue.txt", "ab") as file:
            file.write(message.raw[:length] + b"\n")
libc.shmctl(segment, 0, None)
if queue >= 0:
    queues.mq_unlink(b"/neighbour")
