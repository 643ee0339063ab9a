"""Says by its exit code whether this machine has what a probe needs, sandbox or not.

    needs.py KIND ARGUMENTS...
"""
import ctypes
import mmap
import os
import shutil
import socket
import sys
import tempfile

libc = ctypes.CDLL(None, use_errno=True)


def has_vsock():
    server = socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)
    server.bind((socket.VMADDR_CID_ANY, 40404))
    server.listen()
    client = socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)
    client.settimeout(2)
    client.connect((1, 40404))
    return True


def has_abi32():
    """Asks for our number by the calls of 32-bit programs, in a child that may not live through it."""
    if os.uname().machine != "x86_64":
        return False
    child = os.fork()
    if child == 0:
        page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        page.write(bytes.fromhex("53b814000000cd805bc3"))
        call = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(page)))
        os._exit(0 if call() == os.getpid() else 1)
    return os.waitpid(child, 0)[1] == 0


def has_attributes(folder):
    with tempfile.NamedTemporaryFile(dir=folder) as file:
        os.setxattr(file.name, "user.hostile", b"x")
    return True


def has_ipv6():
    socket.create_server(("2001:db8::1", 0), family=socket.AF_INET6).close()
    return True


def has_namespaces():
    if libc.unshare(0x10000000 | 0x00020000) != 0:
        return False
    return libc.mount(b"none", b"/", None, ctypes.c_ulong(16384 | (1 << 18)), None) == 0


def has_keys():
    add_key = {"x86_64": 248, "aarch64": 217}[os.uname().machine]
    return libc.syscall(ctypes.c_long(add_key), b"user", b"hostile-try", b"x", ctypes.c_size_t(1), -3) > 0


KINDS = {
    "socket": lambda *numbers: socket.socket(*map(int, numbers)) is not None,
    "program": lambda name: shutil.which(name) is not None,
    "path": os.path.exists,
    "root": lambda: "HOSTILE_ROOT" in os.environ,
    "abi32": has_abi32,
    "vsock": has_vsock,
    "attributes": lambda: has_attributes(os.environ["HOSTILE_BASE"]),
    "ipv6": has_ipv6,
    "namespaces": has_namespaces,
    "keys": has_keys,
    "processors": lambda: len(os.sched_getaffinity(0)) > 1,
    "io_uring": lambda: libc.syscall(ctypes.c_long(425), 1, ctypes.byref((ctypes.c_uint32 * 30)())) >= 0,
}
try:
    sys.exit(0 if KINDS[sys.argv[1]](*sys.argv[2:]) else 1)
except OSError as error:
    sys.exit(str(error))
