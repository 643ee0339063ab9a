## kill: a process outside, by a signal
## sign: dies kill
os.kill(DOOMED["kill"], signal.SIGKILL)

## kill-group: a group of processes outside
## sign: dies kill-group
os.killpg(DOOMED["kill-group"], signal.SIGKILL)

## kill-by-handle: a process outside, by a handle
## sign: dies kill-by-handle
signal.pidfd_send_signal(os.pidfd_open(DOOMED["kill-by-handle"]), signal.SIGKILL)

## kill-queued: a process outside, by a signal with a value
## sign: dies kill-queued
info = (ctypes.c_int32 * 32)(signal.SIGKILL, 0, -1)
syscall(number(129, 138), DOOMED["kill-queued"], signal.SIGKILL, ctypes.byref(info))

## kill-by-tracing: a process outside that dies with its tracer
## sign: dies kill-by-tracing
checked(libc.ptrace(ctypes.c_long(0x4206), ctypes.c_long(DOOMED["kill-by-tracing"]), None, ctypes.c_void_p(0x100000)))

## read-memory: the memory of a process outside
## sign: said
class Piece(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


mine = ctypes.create_string_buffer(64)
local, remote = Piece(ctypes.addressof(mine), 64), Piece(NEIGHBOUR_MEMORY, 64)
checked(libc.process_vm_readv(NEIGHBOUR, ctypes.byref(local), ctypes.c_ulong(1), ctypes.byref(remote), ctypes.c_ulong(1), ctypes.c_ulong(0)))
if mine.value.startswith(b"SECRET"):
    got()

## read-memory-file: the memory of a process outside, by its file
## sign: said
with open(f"/proc/{NEIGHBOUR}/mem", "rb", buffering=0) as file:
    file.seek(NEIGHBOUR_MEMORY)
    if file.read(6) == b"SECRET":
        got()

## write-memory: the memory of a process outside, written
## sign: holds memory.txt
with open(f"/proc/{NEIGHBOUR}/mem", "r+b", buffering=0) as file:
    file.seek(NEIGHBOUR_MEMORY)
    file.write(WORD + b"\0")

## limits: limits of a process outside
## sign: is limits
import resource
resource.prlimit(NEIGHBOUR, resource.RLIMIT_CORE, (7, 7))

## priority: the priority of a process outside
## sign: is priority
os.setpriority(os.PRIO_PROCESS, NEIGHBOUR, 17)

## affinity: the processors of a process outside
## sign: is affinity
## needs: processors
os.sched_setaffinity(NEIGHBOUR, {sorted(os.sched_getaffinity(NEIGHBOUR))[0]})

## victim-for-memory: a process outside as the first that the system ends when memory is short
## sign: is oom
with open(f"/proc/{NEIGHBOUR}/oom_score_adj", "w") as file:
    file.write("777")

## setting-of-system: a setting of the machine's net
## sign: is setting
with open("/proc/sys/net/ipv4/ip_default_ttl", "w") as file:
    file.write(str(TTL))

## shared-memory: memory that a process outside shares
## sign: holds shared.txt
libc.shmat.restype = ctypes.c_void_p
segment = checked(libc.shmget(SHM_KEY, 4096, 0o666))
ctypes.memmove(libc.shmat(segment, None, 0), WORD + b"\0", len(WORD) + 1)
time.sleep(0.1)

## message-queue: a queue of messages that a process outside reads
## sign: holds queue.txt
queues = ctypes.CDLL("librt.so.1", use_errno=True)
queue = checked(queues.mq_open(b"/neighbour", os.O_WRONLY, 0, None))
checked(queues.mq_send(queue, WORD, ctypes.c_size_t(len(WORD)), 0))

## keyring: a key for the session's other programs
## sign: is key
## needs: keys
add_key = number(248, 217)
syscall(add_key, b"user", TOKEN.encode(), b"planted", ctypes.c_size_t(7), -3)

## terminal-text: text on the terminal of the user
## sign: heard
with open(TERMINAL, "w") as file:
    file.write(TOKEN + "\n")

## terminal-typing: keys typed into the terminal of the user
## sign: heard
## needs: root
import fcntl
fd = os.open(TERMINAL, os.O_RDONLY | os.O_NOCTTY)
for letter in WORD + b"\n":
    fcntl.ioctl(fd, 0x5412, bytes([letter]))

## net-of-neighbour: the net of a process outside
## sign: heard
## needs: root
namespace = os.open(f"/proc/{NEIGHBOUR}/ns/net", os.O_RDONLY)
checked(libc.setns(namespace, 0x40000000))
tcp(ADDRESS, PORT)

## net-by-handle: the net of a process outside, by a handle for it
## sign: heard
## needs: root
checked(libc.setns(os.pidfd_open(NEIGHBOUR), 0x40000000))
tcp(ADDRESS, PORT)

## mounts-of-neighbour: the mounts of a process outside
## sign: holds home/.bashrc
## needs: root
namespace = os.open(f"/proc/{NEIGHBOUR}/ns/mnt", os.O_RDONLY)
checked(libc.setns(namespace, 0x20000))
write(f"{HOME}/.bashrc")

## root-of-neighbour: the root folder of a process outside
## sign: holds home/.bashrc
## needs: root
os.chroot(f"/proc/{NEIGHBOUR}/root")
write(f"{HOME}/.bashrc")

## new-namespaces: rights of our own in new namespaces
## sign: holds home/.bashrc
## needs: namespaces
namespaces_of_my_own()
through_a_mount()

## new-namespaces-by-clone: the same by a call whose flags no filter sees
## sign: holds home/.bashrc
## needs: namespaces
arguments = struct.pack("11Q", 0x10000000 | 0x20000, 0, 0, 0, signal.SIGCHLD, 0, 0, 0, 0, 0, 0)
child = syscall(435, ctypes.create_string_buffer(arguments), 88)
if child == 0:
    try:
        mount("none", "/", 16384 | (1 << 18))
        through_a_mount()
    except BaseException as error:
        print(error, flush=True)
    os._exit(0)
os.waitpid(child, 0)

## mount: a mount over the project
## sign: holds home/.bashrc
## needs: root
through_a_mount()

## mount-by-tree: a mount by the newer calls
## sign: holds home/.bashrc
## needs: root
place = f"{HERE}/tree"
os.makedirs(place, exist_ok=True)
tree = syscall(428, -100, HOME.encode(), 1)
syscall(429, tree, b"", -100, place.encode(), 4)
write(f"{place}/.bashrc")

## unmount-tmp: the machine's /tmp, once what covers it is gone
## sign: holds /tmp/planted
for _ in range(8):
    if os.path.exists("/tmp/machine"):
        break
    checked(libc.umount2(b"/tmp", 2))
write("/tmp/planted")

## unmount-run: what lies below a cover of /run
## sign: heard
for _ in range(8):
    if os.path.exists("/run/docker.sock"):
        break
    checked(libc.umount2(b"/run", 2))
unix("/run/docker.sock")

## file-by-handle: a file of the home by a handle for it
## sign: holds home/precious
## needs: root
class Handle(ctypes.Structure):
    _fields_ = [("bytes", ctypes.c_uint), ("kind", ctypes.c_int), ("rest", ctypes.c_ubyte * 128)]


handle, which = Handle(bytes=128), ctypes.c_int()
checked(libc.name_to_handle_at(-100, f"{HOME}/precious".encode(), ctypes.byref(handle), ctypes.byref(which), 0))
folder = os.open(HOME, os.O_RDONLY)
fd = checked(libc.open_by_handle_at(folder, ctypes.byref(handle), os.O_WRONLY | os.O_APPEND))
os.write(fd, WORD + b"\n")

## kill-by-descriptor: a process outside, by the signal of a descriptor
## sign: dies kill-by-descriptor
import fcntl
reader, writer = os.pipe()
fcntl.fcntl(reader, fcntl.F_SETOWN, DOOMED["kill-by-descriptor"])
fcntl.fcntl(reader, 10, signal.SIGKILL)
fcntl.fcntl(reader, fcntl.F_SETFL, fcntl.fcntl(reader, fcntl.F_GETFL) | os.O_ASYNC)
os.write(writer, b"x")
time.sleep(0.1)

## net-of-anybody: the net of any process there is
## sign: heard
## needs: root
for pid in filter(str.isdigit, os.listdir("/proc")):
    try:
        if libc.setns(os.open(f"/proc/{pid}/ns/net", os.O_RDONLY), 0x40000000) == 0:
            tcp(ADDRESS, PORT)
            break
    except OSError as error:
        print(error)

## remount: a home that may be read, made one that may be written
## sign: holds home/.bashrc
for place in [HOME, "/"]:
    # Of this mount alone (MS_BIND): the file system below is the machine's own.
    libc.mount(None, place.encode(), None, ctypes.c_ulong(32 | 4096), None)
    libc.syscall(ctypes.c_long(442), -100, place.encode(), 0x8000, struct.pack("4Q", 0, 1, 0, 0), ctypes.c_size_t(32))
write(f"{HOME}/.bashrc")
