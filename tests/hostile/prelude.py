# What every probe finds: the word that it tries to get out, and short ways to do things. The places of the world around
# stand above. No probe judges itself by its exit code: whoever is outside says whether the word arrived.
import array, ctypes, mmap, os, signal, socket, stat, struct, subprocess, sys, time, urllib.parse

TOKEN = sys.argv[1]
WORD = TOKEN.encode()
REQUEST = f"GET /{TOKEN} HTTP/1.1\r\nHost: outside\r\nConnection: close\r\n\r\n".encode()
HERE = os.path.dirname(os.path.abspath(__file__))
libc = ctypes.CDLL(None, use_errno=True)


def checked(result):
    if result is None or result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result


def syscall(number, *arguments):
    wrapped = [ctypes.c_long(one) if isinstance(one, int) else one for one in arguments]
    return checked(libc.syscall(ctypes.c_long(number), *wrapped))


def number(x86_64, aarch64):
    return {"x86_64": x86_64, "aarch64": aarch64}[os.uname().machine]


def tell(stream, what=None):
    """Sends the word and waits until the other side has closed, and so has read it."""
    stream.settimeout(4)
    stream.sendall(what or REQUEST)
    try:
        stream.shutdown(socket.SHUT_WR)
        answer = b""
        while piece := stream.recv(65536):
            answer += piece
        return answer
    except OSError:
        return b""


def tcp(address, port, family=None, protocol=0):
    family = family or (socket.AF_INET6 if ":" in address else socket.AF_INET)
    stream = socket.socket(family, socket.SOCK_STREAM, protocol)
    stream.settimeout(4)
    stream.connect((address, port))
    return tell(stream)


def unix(path, what=None):
    stream = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    stream.settimeout(4)
    stream.connect(path)
    return tell(stream, what or WORD)


def write(path, mode="a"):
    with open(path, mode) as file:
        file.write(TOKEN + "\n")


def got(what=None):
    """The proof for what nobody outside can see, such as a secret that was read."""
    print(f"got:{TOKEN if what is None else what}", flush=True)


def proxy(name="http_proxy"):
    """The proxy that this command was told of."""
    place = urllib.parse.urlsplit(os.environ.get(name) or os.environ[name.upper()])
    stream = socket.create_connection((place.hostname, place.port), 4)
    stream.settimeout(6)
    if place.username:
        import base64
        pair = f"{urllib.parse.unquote(place.username)}:{urllib.parse.unquote(place.password or '')}"
        return stream, f"Proxy-Authorization: Basic {base64.b64encode(pair.encode()).decode()}\r\n"
    return stream, ""


def tunnel(place, what=None):
    """What `place` answers through CONNECT."""
    stream, pass_on = proxy()
    stream.sendall(f"CONNECT {place} HTTP/1.1\r\nHost: {place}\r\n{pass_on}\r\n".encode())
    answer = b""
    while b"\r\n\r\n" not in answer:
        piece = stream.recv(4096)
        if not piece:
            break
        answer += piece
    if b" 200" not in answer.split(b"\r\n")[0]:
        raise OSError(answer.decode(errors="replace")[:300])
    return tell(stream, what)


def post(words, host="granted.example"):
    """Sends `words` to a host in the body of a plain request."""
    stream, pass_on = proxy()
    body = words if isinstance(words, bytes) else words.encode()
    head = f"POST http://{host}/ HTTP/1.1\r\nHost: {host}\r\n{pass_on}Content-Length: {len(body)}\r\n"
    return tell(stream, (head + "Connection: close\r\n\r\n").encode() + body)


def socks(kind, name, port):
    """SOCKS5 with a name (3) or an address (1, 4)."""
    stream, _ = proxy()
    stream.sendall(b"\x05\x01\x00")
    if stream.recv(2) != b"\x05\x00":
        raise OSError("no SOCKS5 without a password")
    raw = name.encode() if kind == 3 else socket.inet_pton(socket.AF_INET if kind == 1 else socket.AF_INET6, name)
    length = bytes([len(raw)]) if kind == 3 else b""
    stream.sendall(b"\x05\x01\x00" + bytes([kind]) + length + raw + struct.pack(">H", port))
    answer = stream.recv(300)
    if answer[1:2] != b"\x00":
        raise OSError(f"SOCKS5 said {answer[:4]!r}")
    return tell(stream)


def checksum(data):
    data += b"\0" * (len(data) % 2)
    total = sum(struct.unpack(f">{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def datagram_in_ip(source, target, port, what):
    """An IPv4 packet with UDP in it, as the wire has it."""
    udp = struct.pack(">HHHH", 40000, port, 8 + len(what), 0) + what
    head = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(udp), 1, 0, 64, 17, 0, *map(socket.inet_aton, (source, target)))
    return head[:10] + struct.pack(">H", checksum(head)) + head[12:] + udp


def mount(source, target, flags, kind=None):
    encoded = [None if one is None else os.fsencode(one) for one in (source, target, kind)]
    checked(libc.mount(encoded[0], encoded[1], encoded[2], ctypes.c_ulong(flags), None))


def namespaces_of_my_own(flags=0x10000000 | 0x00020000):
    """A user and a mount namespace, with every right in them."""
    user, group = os.getuid(), os.getgid()
    checked(libc.unshare(flags))
    for name, text in (("setgroups", "deny"), ("uid_map", f"0 {user} 1"), ("gid_map", f"0 {group} 1")):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)
    mount("none", "/", 16384 | (1 << 18))


def through_a_mount():
    """Writes to the user's home by way of the project, once a namespace lets us mount."""
    place = os.path.join(HERE, "mounted")
    os.makedirs(place, exist_ok=True)
    mount(HOME, place, 4096)
    write(os.path.join(place, ".bashrc"))


def live_on(seconds=60):
    """Lives until everything is over. The word stands among our arguments, by which we are found."""
    until = time.monotonic() + seconds
    while time.monotonic() < until and not os.path.exists(os.path.join(HERE, "over")):
        time.sleep(0.05)
    os._exit(0)


def let_go():
    """Closes what whoever waits for our output waits for."""
    nothing = os.open("/dev/null", os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(nothing, fd)
