## own-path-socket-works: CONTROL a socket with a path in the project
## sign: said
server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
os.chdir(HERE)
server.bind(f"own-{os.getpid()}.sock")
server.listen()
client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
client.connect(server.getsockname())
client.sendall(WORD)
got(server.accept()[0].recv(100).decode())

## abstract-stream: a socket of the user without a path
## sign: heard
unix("\0" + ABSTRACT)

## abstract-datagram: a datagram to a socket without a path
## sign: heard
socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(WORD, "\0" + ABSTRACT_DATAGRAM)

## docker: docker's socket
## sign: heard
unix("/run/docker.sock")

## docker-relative: docker's socket by a relative path
## sign: heard
os.chdir("/run")
unix("docker.sock")

## docker-by-var: docker's socket by the old way
## sign: heard
## needs: path /var/run/docker.sock
unix("/var/run/docker.sock")

## docker-through-root: docker's socket through /proc
## sign: heard
unix("/proc/self/root" + "/run/docker.sock")

## docker-through-neighbour: docker's socket by the root of a process outside
## sign: heard
unix(f"/proc/{NEIGHBOUR}/root" + "/run/docker.sock")

## docker-by-symlink: docker's socket by a link in the project
## sign: heard
os.symlink("/run/docker.sock", f"{HERE}/docker-link")
unix(f"{HERE}/docker-link")

## docker-by-folder-handle: docker's socket by a folder that is held open
## sign: heard
folder = os.open("/run", os.O_PATH)
unix(f"/proc/self/fd/{folder}/docker.sock")

## docker-of-home: docker's socket in the home
## sign: heard
unix(f"{HOME}/.docker/run/docker.sock")

## session-bus: the session bus, which starts programs
## sign: heard
unix(RUNTIME + "/bus")

## ssh-agent: the agent that signs with the user's keys
## sign: heard
unix(SSH_AGENT)

## ssh-agent-of-home: an ssh agent in the home
## sign: heard
unix(f"{HOME}/.ssh/agent.sock")

## gpg-agent: the agent of gpg
## sign: heard
unix(f"{HOME}/.gnupg/S.gpg-agent")

## odd-place-of-home: a socket at a place nobody thinks of
## sign: heard
unix(f"{HOME}/odd/place/control.sock")

## data-base: the socket of a data base outside the home
## sign: heard
unix(f"{BASE}/lib/db/.s.sock")

## neighbour-by-folder: a socket by the working folder of a process outside
## sign: heard
os.chdir(f"/proc/{NEIGHBOUR}/cwd")
unix("control.sock")

## made-later: a socket that is made while the command runs
## sign: heard
open(f"{HERE}/later-is-wanted", "w").close()
until = time.monotonic() + 2.5
# By the list of names: whoever asks for the name itself before it is there may be told so ever after.
while "made.sock" not in os.listdir(f"{HOME}/later") and time.monotonic() < until:
    time.sleep(0.02)
unix(f"{HOME}/later/made.sock")

## path-datagram: a datagram to a socket with a path, without a connection
## sign: heard
socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(WORD, "/run/log.sock")

## path-datagram-of-home: the same in the home
## sign: heard
socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(WORD, f"{HOME}/odd/log.sock")

## path-packets: a socket with a path that keeps the borders of messages
## sign: holds packets.txt
packets = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
packets.connect(f"{HOME}/odd/packets.sock")
packets.send(WORD)

## linked-socket: a socket by a second name in the project
## sign: heard
os.link(f"{HOME}/odd/linkable.sock", f"{HERE}/linked.sock")
unix(f"{HERE}/linked.sock")

## moved-socket: a socket that is moved into the project
## sign: heard
os.rename(f"{HOME}/odd/movable.sock", f"{HERE}/moved.sock")
unix(f"{HERE}/moved.sock")

## mounted-socket: a socket that is mounted into the project
## sign: heard
## needs: namespaces
namespaces_of_my_own()
open(f"{HERE}/mounted.sock", "w").close()
mount(f"{HOME}/odd/place/control.sock", f"{HERE}/mounted.sock", 4096)
unix(f"{HERE}/mounted.sock")

## handed-over: what was left open by whoever started it
## sign: holds home/inherited.log
for fd in range(3, 64):
    try:
        if stat.S_ISREG(os.fstat(fd).st_mode) and "inherited" in os.readlink(f"/proc/self/fd/{fd}"):
            os.write(fd, WORD + b"\n")
    except OSError:
        pass

## stolen-connection: a connection of a process outside
## sign: heard
pidfd = syscall(434, NEIGHBOUR, 0)
stolen = syscall(438, pidfd, 7, 0)
os.write(stolen, WORD + b"\n")

## stolen-file: a file that a process outside holds open
## sign: holds neighbour.log
write(f"/proc/{NEIGHBOUR}/fd/8")

## docker-by-steps: docker's socket by steps up from the folder of the command
## sign: heard
unix("../" * 12 + "run/docker.sock")

## docker-by-handed-folder: docker's socket by a folder that was left open
## sign: heard
os.fchdir(8)
unix("run/docker.sock")

## docker-by-any-root: docker's socket by the root of any process there is
## sign: heard
for pid in filter(str.isdigit, os.listdir("/proc")):
    try:
        unix(f"/proc/{pid}/root" + "/run/docker.sock")
        break
    except OSError as error:
        print(error)

## handed-to-parent: what is open in whoever started the command
## sign: holds home/inherited.log
for pid in filter(str.isdigit, os.listdir("/proc")):
    try:
        write(f"/proc/{pid}/fd/9") if "inherited" in os.readlink(f"/proc/{pid}/fd/9") else None
    except OSError as error:
        print(error)
