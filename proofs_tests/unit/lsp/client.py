"""A client of 'halyard lsp' for tests: one message after the other, each answer compared as it is."""

import json
import os
import pathlib
import subprocess

SECONDS = int(os.environ.get("HALYARD_LSP_SECONDS", "120"))  # of a check, on a busy machine; nothing is measured


class Client:
    """One server. What it says of documents in "folder" is told by their names, without the folder."""

    def __init__(self, halyard, folder, arguments=("lsp",)):
        self.folder = pathlib.Path(folder)
        self.server = subprocess.Popen([halyard, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.number = 0

    def uri(self, name):
        return (self.folder / name).as_uri()

    # -- messages

    def send_bytes(self, data):
        self.server.stdin.write(data)
        self.server.stdin.flush()

    def send(self, message):
        body = json.dumps(message).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def receive(self):
        """The next message; None at the end of the output."""
        length = None
        while (line := self.server.stdout.readline()) not in (b"\r\n", b""):
            name, value = line.split(b":")
            assert name == b"Content-Length" and length is None, line
            length = int(value)
        if length is None:
            return None
        message = json.loads(self.server.stdout.read(length))
        assert message.pop("jsonrpc") == "2.0"
        return json.loads(json.dumps(message).replace(self.folder.as_uri() + "/", "").replace(str(self.folder) + "/", ""))

    def notify(self, method, params=None):
        self.send({"jsonrpc": "2.0", "method": method, "params": params or {}})

    def ask(self, method, params=None):
        """The result, or the error, of a request."""
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": method, "params": params or {}})
        answer = self.receive()
        assert answer["id"] == self.number, answer
        return answer["result"] if "result" in answer else {"error": answer["error"]["code"]}

    def ask_after_noise(self, code):
        """None: what was sent before is an error of that code without an id, and the next request is answered all the same."""
        self.number += 1
        self.send({"jsonrpc": "2.0", "id": self.number, "method": "nothing"})
        noise, answer = self.receive(), self.receive()
        if (noise["id"], noise["error"]["code"]) != (None, code) or (answer["id"], answer["error"]["code"]) != (self.number, -32601):
            return noise, answer
        return None

    # -- a session

    def begin(self, related=False, encodings=None):
        capabilities = {"textDocument": {"publishDiagnostics": {"relatedInformation": related}}}
        if encodings:
            capabilities["general"] = {"positionEncodings": encodings}
        answer = self.ask("initialize", {"capabilities": capabilities})
        self.notify("initialized")
        return answer

    def open(self, name, text, version=1):
        """Its diagnostics."""
        self.notify("textDocument/didOpen", {"textDocument": {"uri": self.uri(name), "languageId": "halyard", "version": version, "text": text}})
        return self.diagnostics(name, version)

    def change(self, name, version, *changes):
        self.notify("textDocument/didChange", {"textDocument": {"uri": self.uri(name), "version": version}, "contentChanges": list(changes)})
        return self.diagnostics(name, version)

    def diagnostics(self, name, version):
        said = self.receive()
        assert said["method"] == "textDocument/publishDiagnostics", said
        assert said["params"]["uri"] == name and said["params"].get("version") == version, said
        return said["params"]["diagnostics"]

    def at(self, method, name, line, character, **more):
        return self.ask(f"textDocument/{method}", {"textDocument": {"uri": self.uri(name)}, "position": {"line": line, "character": character}, **more})

    def end(self):
        """The exit status, after shutdown and exit."""
        assert self.ask("shutdown") is None
        self.notify("exit")
        return self.leave()

    def leave(self):
        """The exit status, once nothing more is sent; and what was printed for people."""
        self.server.stdin.close()
        rest = self.server.stdout.read()
        self.errors = self.server.stderr.read().decode(errors="replace")
        status = self.server.wait(SECONDS)
        assert rest == b"", rest
        return status


def span(json_range):
    """"1:2-3:4", from 0."""
    start, end = json_range["start"], json_range["end"]
    return f"{start['line']}:{start['character']}-{end['line']}:{end['character']}"


def told(diagnostics):
    """Diagnostics as lines: "error 2:7-2:8 HY0201 message"."""
    severity = {1: "error", 2: "warning", 3: "note"}
    lines = []
    for one in diagnostics:
        assert one["source"] == "halyard"
        lines.append(f"{severity[one['severity']]} {span(one['range'])} {one['code']} {one['message']}")
        for near in one.get("relatedInformation", []):
            lines.append(f"  {near['location']['uri']} {span(near['location']['range'])} {near['message']}")
    return lines
