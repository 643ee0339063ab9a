"""Package registries on loopback, behind a proxy that leads every name to itself.

    registry.py FOLDER

Makes a certificate authority in FOLDER (ca.pem), listens on a free port of 127.0.0.1, prints it, and serves until its
standard input closes. Whoever uses it as a proxy (plain requests and CONNECT, with TLS inside or without) finds at the
usual names of the package managers one small package for each, a git repository and a file. It connects to nobody.
"""

import base64, gzip, hashlib, http.server, io, json, os, socket, ssl, subprocess, sys, tarfile, threading, zipfile


def name(*labels):
    return ".".join(labels)


PYPI, PYFILES = name("pypi", "org"), name("files", "pythonhosted", "org")
NPM = name("registry", "npmjs", "org")
CRATES = [name(first, "crates", "io") for first in ("index", "static")]
GO, GOSUM = name("proxy", "golang", "org"), name("sum", "golang", "org")
GIT, FILES = name("git", "example", "org"), name("files", "example", "org")
HOSTS = [PYPI, PYFILES, NPM, *CRATES, GO, GOSUM, GIT, FILES]


def packed(files, kind):
    out = io.BytesIO()
    if kind == "zip":
        with zipfile.ZipFile(out, "w") as archive:
            for path, text in files.items():
                archive.writestr(path, text)
    else:
        with tarfile.open(fileobj=out, mode="w") as archive:
            for path, text in files.items():
                entry = tarfile.TarInfo(path)
                entry.size, entry.mode = len(text.encode()), 0o755
                archive.addfile(entry, io.BytesIO(text.encode()))
        return gzip.compress(out.getvalue(), mtime=0)
    return out.getvalue()


def python_package(pages):
    info = "tinylib-1.0.dist-info"
    wheel = packed({
        "tinylib/__init__.py": "WORDS = 'tinylib is here'\n",
        f"{info}/METADATA": "Metadata-Version: 2.1\nName: tinylib\nVersion: 1.0\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: battery\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
        f"{info}/RECORD": f"tinylib/__init__.py,,\n{info}/METADATA,,\n{info}/WHEEL,,\n{info}/RECORD,,\n",
    }, "zip")
    file = "tinylib-1.0-py3-none-any.whl"
    mark = hashlib.sha256(wheel).hexdigest()
    link = f'<!DOCTYPE html><html><body><a href="https://{PYFILES}/{file}#sha256={mark}">{file}</a></body></html>'
    pages["/simple/tinylib/"], pages[f"/{file}"] = link.encode(), wheel


def node_package(pages):
    about = {"name": "tinytool", "version": "1.0.0", "main": "index.js", "bin": {"tinytool": "bin.js"}}
    tarball = packed({
        "package/package.json": json.dumps(about),
        "package/index.js": "module.exports = 'tinytool is here';\n",
        "package/bin.js": "#!/usr/bin/env node\nconsole.log(require('./index.js'));\n",
    }, "tgz")
    path = "/tinytool/-/tinytool-1.0.0.tgz"
    mark = "sha512-" + base64.b64encode(hashlib.sha512(tarball).digest()).decode()
    about["dist"] = {"tarball": f"https://{NPM}{path}", "integrity": mark}
    page = {"name": "tinytool", "dist-tags": {"latest": "1.0.0"}, "versions": {"1.0.0": about}}
    pages["/tinytool"], pages[path] = json.dumps(page).encode(), tarball


def rust_package(pages):
    crate = packed({
        "tinycrate-1.0.0/Cargo.toml": '[package]\nname = "tinycrate"\nversion = "1.0.0"\nedition = "2021"\n',
        "tinycrate-1.0.0/src/lib.rs": "pub fn words() -> &'static str {\n    \"tinycrate is here\"\n}\n",
    }, "tgz")
    line = {"name": "tinycrate", "vers": "1.0.0", "deps": [], "features": {}, "yanked": False,
            "cksum": hashlib.sha256(crate).hexdigest()}
    pages["/config.json"] = json.dumps({"dl": f"https://{CRATES[1]}/crates"}).encode()
    pages["/ti/ny/tinycrate"] = json.dumps(line).encode() + b"\n"
    pages["/crates/tinycrate/1.0.0/download"] = crate


def go_package(pages):
    module, at = "example.org/tinymod", "v1.0.0"
    mod = f"module {module}\n\ngo 1.18\n"
    top = f"/{module}/@v"
    pages[f"{top}/list"] = f"{at}\n".encode()
    pages[f"{top}/{at}.info"] = pages[f"/{module}/@latest"] = json.dumps(
        {"Version": at, "Time": "2026-01-01T00:00:00Z"}).encode()
    pages[f"{top}/{at}.mod"] = mod.encode()
    pages[f"{top}/{at}.zip"] = packed({
        f"{module}@{at}/go.mod": mod,
        f"{module}@{at}/tiny.go": 'package tinymod\n\nfunc Words() string { return "tinymod is here" }\n',
    }, "zip")


def git_repository(pages, folder):
    work, bare = os.path.join(folder, "lib"), os.path.join(folder, "lib.git")
    env = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}

    def git(*words, cwd=folder):
        who = ["-c", "user.name=b", "-c", "user.email=b@example.org", "-c", "init.defaultBranch=main"]
        subprocess.run(["git", *who, *words], cwd=cwd, env=env, check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)

    git("init", work)
    with open(os.path.join(work, "README"), "w") as file:
        file.write("the library is here\n")
    git("add", "-A", cwd=work)
    git("commit", "-m", "Begin", cwd=work)
    git("clone", "--bare", work, bare)
    git("update-server-info", cwd=bare)
    for place, _, files in os.walk(bare):
        for file in files:
            path = os.path.join(place, file)
            with open(path, "rb") as opened:
                pages["/lib.git/" + os.path.relpath(path, bare)] = opened.read()


def certificate(folder):
    def openssl(*words):
        subprocess.run(["openssl", *words], cwd=folder, check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)

    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    openssl("req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.pem", "-days", "30", "-subj", "/CN=battery",
            "-addext", "keyUsage=critical,keyCertSign,cRLSign")
    with open(os.path.join(folder, "names"), "w") as file:
        file.write("subjectAltName=" + ",".join("DNS:" + host for host in HOSTS) + "\n")
    openssl("req", *key, "-keyout", "leaf.key", "-out", "leaf.csr", "-subj", "/CN=registry")
    openssl("x509", "-req", "-in", "leaf.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "30",
            "-extfile", "names", "-out", "leaf.pem")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(os.path.join(folder, "leaf.pem"), os.path.join(folder, "leaf.key"))
    return context


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    pages, context, log = {}, None, None

    def do_CONNECT(self):
        host = self.path.rsplit(":", 1)[0]
        print("connect", host, file=self.log, flush=True)
        self.send_response(200)
        self.end_headers()
        if self.connection.recv(1, socket.MSG_PEEK) == b"\x16":
            self.connection = self.context.wrap_socket(self.connection, server_side=True)
            self.rfile, self.wfile = self.connection.makefile("rb"), self.connection.makefile("wb", 0)
        self.close_connection = False

    def do_GET(self):
        path = self.path.split("://", 1)[-1]
        path = path if path.startswith("/") else "/" + path.partition("/")[2]
        path = path.partition("?")[0]
        page = self.pages.get(path)
        print("get", path, "found" if page is not None else "missing", file=self.log, flush=True)
        body = page if page is not None else b"{}"
        self.send_response(200 if page is not None else 404)
        kind = "text/html" if body.startswith(b"<!DOCTYPE") else "application/octet-stream"
        self.send_header("Content-Type", "application/json" if body.startswith(b"{") else kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_HEAD = do_GET

    def do_POST(self):
        said = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        print("post", self.path, said.decode(errors="replace"), file=self.log, flush=True)
        body = b"{}"
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass


def main():
    folder = sys.argv[1]
    pages = {"/": b"hello from afar\n", "/hello.txt": b"hello from afar\n"}
    for make in (python_package, node_package, rust_package, go_package):
        make(pages)
    git_repository(pages, folder)
    Handler.pages, Handler.context = pages, certificate(folder)
    Handler.log = open(os.path.join(folder, "requests"), "w")
    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(server.server_address[1], flush=True)
    sys.stdin.read()


main()
