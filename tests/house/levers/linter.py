"""A language server that finds an error wherever a name ends in `_gone`: enough of the protocol for one session."""
import json
import sys


def read():
    length = 0
    while line := sys.stdin.buffer.readline().strip():
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    return json.loads(sys.stdin.buffer.read(length)) if length else None


def send(message):
    body = json.dumps({"jsonrpc": "2.0", **message}).encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
    sys.stdout.buffer.flush()


def errors(text):
    for number, line in enumerate(text.splitlines()):
        for word in line.replace("(", " ").split():
            if word.endswith("_gone"):
                at = line.index(word)
                place = {"start": {"line": number, "character": at}, "end": {"line": number, "character": at + 1}}
                yield {"range": place, "severity": 1, "message": f'"{word}" is not defined'}


while message := read():
    method, params = message.get("method"), message.get("params") or {}
    if method == "initialize":
        send({"id": message["id"], "result": {"capabilities": {"textDocumentSync": 1}}})
    elif method in ("textDocument/didOpen", "textDocument/didChange"):
        document = params["textDocument"]
        text = params["contentChanges"][0]["text"] if "contentChanges" in params else document["text"]
        found = {"uri": document["uri"], "version": document.get("version"), "diagnostics": list(errors(text))}
        send({"method": "textDocument/publishDiagnostics", "params": found})
    elif method == "exit":
        break
    elif "id" in message:
        send({"id": message["id"], "result": None})
