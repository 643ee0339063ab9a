"""Makes the outer world of the hostile tests in namespaces that are there already, and runs a program in it.

    enter.py BASE COVERED... -- PROGRAM ARGUMENTS...

BASE and each COVERED become empty folders in memory, the loopback comes up, addresses of documentation are put on it, and
names are looked up at 127.0.0.1. Nothing of this is seen outside the namespaces.
"""
import ctypes
import fcntl
import os
import socket
import struct
import subprocess
import sys

ADDRESSES = ["192.0.2.1", "198.51.100.1"]
ADDRESS6 = "2001:db8::1"
SIOCGIFINDEX, SIOCSIFADDR, SIOCSIFFLAGS = 0x8933, 0x8916, 0x8914
UP_LOOPBACK_RUNNING = 0x49
MS_BIND = 4096
libc = ctypes.CDLL(None, use_errno=True)


def mount(source, target, kind, flags, options):
    encoded = [None if one is None else one.encode() for one in (source, target, kind, options)]
    if libc.mount(encoded[0], encoded[1], encoded[2], ctypes.c_ulong(flags), encoded[3]) != 0:
        raise OSError(ctypes.get_errno(), f"mount on {target}")


def network():
    ip = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    fcntl.ioctl(ip, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", UP_LOOPBACK_RUNNING))
    for number, address in enumerate(ADDRESSES, 1):
        name = f"lo:{number}".encode()
        place = struct.pack("16sHH4s16x", name, socket.AF_INET, 0, socket.inet_aton(address))
        fcntl.ioctl(ip, SIOCSIFADDR, place)
    index = struct.unpack("16si", fcntl.ioctl(ip, SIOCGIFINDEX, struct.pack("16si", b"lo", 0)))[1]
    try:
        ip6 = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
        fcntl.ioctl(ip6, SIOCSIFADDR, struct.pack("16sIi", socket.inet_pton(socket.AF_INET6, ADDRESS6), 128, index))
    except OSError as error:
        print(f"no IPv6 here: {error}", file=sys.stderr)
    # So that plain pings work, and packets that somebody made up come in.
    for name, value in {"ping_group_range": "0 0", "conf/all/rp_filter": "0", "conf/lo/rp_filter": "0"}.items():
        with open(f"/proc/sys/net/ipv4/{name}", "w") as file:
            file.write(value)


def names(base):
    """The real place of the file is covered, since the link to it may lead into what is covered already."""
    with open(f"{base}/resolv.conf", "w") as file:
        file.write("nameserver 127.0.0.1\noptions timeout:1 attempts:1\n")
    real = os.path.realpath("/etc/resolv.conf")
    if not os.path.exists(real):
        os.makedirs(os.path.dirname(real), exist_ok=True)
        open(real, "w").close()
    mount(f"{base}/resolv.conf", real, None, MS_BIND, None)


def main():
    split = sys.argv.index("--")
    base, covered, program = sys.argv[1], sys.argv[2:split], sys.argv[split + 1 :]
    for place in [base, *covered]:
        mount("tmpfs", place, "tmpfs", 0, "mode=1777" if place in ("/tmp", "/dev/shm") else "mode=755")
    network()
    names(base)
    # A keyring for all that is started here: what a probe puts into it goes with it.
    keyctl = {"x86_64": 250, "aarch64": 219}.get(os.uname().machine)
    if keyctl is not None:
        libc.syscall(ctypes.c_long(keyctl), 1, b"hostile-tests")
    sys.exit(subprocess.run(program).returncode)


main()
