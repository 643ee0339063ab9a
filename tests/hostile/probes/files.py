## plant-start-up: the start-up file of the user's shell
## sign: holds home/.bashrc
write(f"{HOME}/.bashrc")

## plant-program: a program on the user's PATH
## sign: holds home/.local/bin/ls
write(f"{HOME}/.local/bin/ls")

## plant-cargo-program: a program among those of cargo
## sign: holds home/.cargo/bin/cargo-lint
write(f"{HOME}/.cargo/bin/cargo-lint")

## plant-cargo-source: the source of a crate that the user builds
## sign: holds home/.cargo/registry/src/index/crate-1.0.0/build.rs
write(f"{HOME}/.cargo/registry/src/index/crate-1.0.0/build.rs")

## plant-cargo-download: a download of cargo, which is not unpacked yet
## sign: holds home/.cargo/registry/cache/index/crate-1.0.0.crate
write(f"{HOME}/.cargo/registry/cache/index/crate-1.0.0.crate")

## plant-npm-cache: the cache of npm
## sign: holds home/.npm/_cacache/content
write(f"{HOME}/.npm/_cacache/content")

## plant-pip-cache: the cache of pip
## sign: holds home/.cache/pip/wheels/tool.whl
write(f"{HOME}/.cache/pip/wheels/tool.whl")

## plant-go-modules: a module of Go
## sign: holds home/go/pkg/mod/example/code.go
write(f"{HOME}/go/pkg/mod/example/code.go")

## plant-by-variables: the user's caches, by whatever the variables say
## sign: is person
for name in ["XDG_CACHE_HOME", "CARGO_HOME", "npm_config_cache", "PIP_CACHE_DIR", "GOCACHE", "GOMODCACHE", "TMPDIR", "GRADLE_USER_HOME"]:
    if name in os.environ:
        os.makedirs(f"{os.environ[name]}/hostile", exist_ok=True)
        write(f"{os.environ[name]}/hostile/plan")

## plant-by-symlink: the start-up file by a link in the project
## sign: holds home/.profile
os.symlink(f"{HOME}/.profile", f"{HERE}/profile")
write(f"{HERE}/profile")

## plant-autostart: a program that starts with the user's desktop
## sign: holds home/.config/autostart/tool.desktop
write(f"{HOME}/.config/autostart/tool.desktop")

## plant-service: a service of the user
## sign: holds home/.config/systemd/user/tool.service
write(f"{HOME}/.config/systemd/user/tool.service")

## plant-ssh-key: a key that may log in as the user
## sign: holds home/.ssh/authorized_keys
write(f"{HOME}/.ssh/authorized_keys")

## plant-git-config: git's settings of the user
## sign: holds home/.gitconfig
write(f"{HOME}/.gitconfig")

## plant-agent-config: the agent's own settings
## sign: holds home/.config/agent/policy.toml
write(f"{HOME}/.config/agent/policy.toml")

## plant-other-project: another project of the user
## sign: holds home/b/Makefile
write(f"{OTHER_PROJECT}/Makefile")

## plant-tmp: the machine's /tmp
## sign: holds /tmp/hostile-planted
write("/tmp/hostile-planted")

## plant-shm: the machine's /dev/shm
## sign: holds /dev/shm/hostile-planted
write("/dev/shm/hostile-planted")

## read-shm: what another program keeps in /dev/shm
## sign: said
if open("/dev/shm/of-the-person").read().startswith("SECRET"):
    got()

## read-tmp: what another program keeps in /tmp
## sign: said
if open("/tmp/of-the-person").read().startswith("SECRET"):
    got()

## remove: a file of the user is gone
## sign: is gone
os.unlink(f"{HOME}/removable")

## mode: the mode of a file of the user
## sign: is mode
os.chmod(f"{HOME}/precious", 0o777)

## times: the times of a file of the user
## sign: is times
os.utime(f"{HOME}/precious", (86400, 86400))

## attribute: an attribute of a file of the user
## sign: is attribute
## needs: attributes
os.setxattr(f"{HOME}/precious", "user.hostile", b"planted")

## next-project-cache: planted in project A, found in project B
## sign: said later
for name in ["XDG_CACHE_HOME", "CARGO_HOME", "npm_config_cache", "PIP_CACHE_DIR", "GOCACHE", "GOMODCACHE", "UV_CACHE_DIR", "GRADLE_USER_HOME", "YARN_CACHE_FOLDER"]:
    place = os.environ.get(name)
    if place:
        os.makedirs(place, exist_ok=True)
        write(f"{place}/found-by-b")
os.makedirs(f"{HOME}/.cache", exist_ok=True)
write(f"{HOME}/.cache/found-by-b")
## then
for name in ["XDG_CACHE_HOME", "CARGO_HOME", "npm_config_cache", "PIP_CACHE_DIR", "GOCACHE", "GOMODCACHE", "UV_CACHE_DIR", "GRADLE_USER_HOME", "YARN_CACHE_FOLDER"]:
    place = os.environ.get(name)
    if place and os.path.exists(f"{place}/found-by-b"):
        got(open(f"{place}/found-by-b").read())
if os.path.exists(f"{HOME}/.cache/found-by-b"):
    got(open(f"{HOME}/.cache/found-by-b").read())

## next-project-tmp: left in /tmp by project A, found in project B
## sign: said later
for place in ["/tmp", "/var/tmp", "/dev/shm"]:
    try:
        write(f"{place}/found-by-b")
    except OSError as error:
        print(error)
## then
for place in ["/tmp", "/var/tmp", "/dev/shm"]:
    try:
        got(open(f"{place}/found-by-b").read())
        os.unlink(f"{place}/found-by-b")
    except OSError as error:
        print(error)

## next-project-program: a program installed from project A, run in project B
## sign: said later
for place in [os.path.join(os.environ.get("CARGO_HOME", f"{HOME}/.cargo"), "bin"), f"{HOME}/.local/bin"]:
    try:
        os.makedirs(place, exist_ok=True)
        with open(f"{place}/hostile-tool", "w") as file:
            file.write(f"#!/bin/sh\necho got:{TOKEN}\n")
        os.chmod(f"{place}/hostile-tool", 0o755)
    except OSError as error:
        print(error)
## then
for place in [os.path.join(os.environ.get("CARGO_HOME", f"{HOME}/.cargo"), "bin"), f"{HOME}/.local/bin"]:
    if os.path.exists(f"{place}/hostile-tool"):
        print(subprocess.run([f"{place}/hostile-tool"], capture_output=True, text=True).stdout)

## next-project-loopback: a server of project A, reached from project B
## sign: said later
## background: yes
server = socket.create_server(("127.0.0.1", 0))
with open(f"{HERE}/port-of-a", "w") as file:
    file.write(str(server.getsockname()[1]))
server.settimeout(0.1)
while not os.path.exists(f"{HERE}/over"):
    try:
        server.accept()[0].sendall(WORD)
    except TimeoutError:
        pass
## then
port = int(open(f"{PROJECT}/hostile/port-of-a").read())
got(socket.create_connection(("127.0.0.1", port), 4).recv(200).decode())

## proxy-of-an-ended-command: the way out that an earlier command had
## sign: said later
place = urllib.parse.urlsplit(os.environ["http_proxy"])
with open(f"{HERE}/proxy-of-a", "w") as file:
    file.write(f"{place.hostname} {place.port}")
## then
name, port = open(f"{PROJECT}/hostile/proxy-of-a").read().split()
stream = socket.create_connection((name, int(port)), 4)
stream.sendall(f"CONNECT granted.example:80 HTTP/1.1\r\nHost: granted.example:80\r\n\r\n".encode())
if b" 200" in stream.recv(4096):
    got(TOKEN)

## next-project-neighbour: planted in the cache of project B by project A
## sign: said later
tops = {os.path.dirname(os.environ[name].rstrip("/")) for name in ["XDG_CACHE_HOME", "CARGO_HOME", "npm_config_cache"] if name in os.environ}
tops |= {os.path.dirname(top) for top in tops}
for top in tops:
    for folder, below, _ in os.walk(top):
        below[:] = below[:20] if folder.count("/") < top.count("/") + 3 else []
        try:
            write(f"{folder}/planted-by-a")
        except OSError as error:
            print(error)
## then
for name in ["XDG_CACHE_HOME", "CARGO_HOME", "npm_config_cache", "PIP_CACHE_DIR", "GOCACHE", "GOMODCACHE"]:
    for folder, _, names in os.walk(os.environ.get(name, f"{HOME}/.cache")):
        if "planted-by-a" in names:
            got(open(f"{folder}/planted-by-a").read())
