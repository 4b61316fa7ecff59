"""Checks with bytes and texts that nobody means: the server goes on, answers what is asked, and ends when it is told to.

Everything is drawn from a seed, which a failure names.
"""

import json
import os
import pathlib
import random
import subprocess
import time

ROOT = pathlib.Path(__file__).resolve().parents[3]
SEED = int(os.environ.get("HALYARD_LSP_SEED", "20261127"))
ROUNDS = int(os.environ.get("HALYARD_LSP_ROUNDS", "40"))
METHODS = ["formatting", "documentSymbol", "definition", "references", "hover", "completion"]


def texts():
    return [path.read_text() for folder in ("apps", "docs/examples") for path in sorted((ROOT / folder).rglob("*")) if path.suffix in (".alg", ".sched")]


def damaged(draw, text):
    """The text with something cut out, doubled, or put in."""
    for _ in range(draw.randrange(1, 4)):
        a, b = sorted(draw.randrange(len(text) + 1) for _ in range(2))
        b = min(b, a + draw.choice([1, 3, 30, 300]))
        word = draw.choice(["(", ")", "{", "}", "[", "]", ";", ",", ".", "in ", "let t = ", "rdom(r = (0, ", "schedule s for p {", "f.split(", "\0", "\U0001f600", "for k in 0..9 ", "\r", "/*", "9" * 30])
        text = draw.choice([text[:a] + text[b:], text[:b] + text[a:b] + text[b:], text[:a] + word + text[a:], text[:a]])
    return text


def settle(c, marker):
    """Everything up to the answer of one more request: how many messages that were."""
    c.send({"jsonrpc": "2.0", "id": marker, "method": "nothing"})
    count = 0
    while (message := c.receive()) is not None:
        count += 1
        if message.get("id") == marker:
            return count
    raise AssertionError("the server has ended")


def check_damaged_texts_are_answered(c):
    """What is asked of each is answered, and never by a failure."""
    draw = random.Random(SEED)
    c.begin()
    base = texts()
    for number in range(ROUNDS):
        name = draw.choice(["p.alg", "p.sched", "p.tgt"])
        text = damaged(draw, draw.choice(base))
        c.notify("textDocument/didOpen", {"textDocument": {"uri": c.uri(name), "version": number, "text": text}})
        wanted = {}
        for index in range(6):
            method = draw.choice(METHODS)
            position = {"line": draw.randrange(60), "character": draw.randrange(80)}
            wanted[f"{number}.{index}"] = method
            c.send({"jsonrpc": "2.0", "id": f"{number}.{index}", "method": f"textDocument/{method}", "params": {"textDocument": {"uri": c.uri(name)}, "position": position}})
        while wanted:
            message = c.receive()
            assert message is not None, f"seed {SEED}, round {number}: the server has ended\n{text}"
            if "id" in message:
                assert "result" in message, f"seed {SEED}, round {number}, {wanted[message['id']]}: {message}\n{text}"
                del wanted[message["id"]]
            else:
                assert message["method"] == "textDocument/publishDiagnostics", f"seed {SEED}, round {number}: {message}\n{text}"
    c.send({"jsonrpc": "2.0", "id": "end", "method": "shutdown"})
    while c.receive().get("id") != "end":
        pass
    c.notify("exit")
    assert c.leave() == 0 and c.errors == "", f"seed {SEED}: {c.errors}"


def message(body):
    return b"Content-Length: %d\r\n\r\n" % len(body) + body


def draw_bytes(draw, uri):
    """One message, or what is none."""
    good = json.dumps({"jsonrpc": "2.0", "id": draw.randrange(9), "method": draw.choice(["initialize", "textDocument/hover", "$/cancelRequest", "textDocument/didOpen", "textDocument/didChange"]),
                       "params": draw.choice([None, [], {}, {"textDocument": {"uri": uri, "version": 1, "text": "pipeline p() { fun f(x) = x; }"}, "position": {"line": 0, "character": 9}},
                                              {"capabilities": {"general": 3}}, {"id": 1}])}).encode()
    kind = draw.randrange(6)
    if kind == 0:
        return bytes(draw.randrange(256) for _ in range(draw.randrange(200)))
    if kind == 1:
        at = draw.randrange(len(good))
        return message(good[:at] + bytes([draw.randrange(256)]) + good[at + 1:])
    if kind == 2:
        return b"Content-Length: %d\r\n\r\n" % draw.randrange(2 * len(good)) + good
    if kind == 3:
        framed = message(good)
        at = draw.randrange(len(framed))
        return framed[:at] + framed[at + draw.randrange(1, 9):]
    return message(good)


def check_damaged_bytes_do_not_end_it(c):
    """After any bytes, and room for the longest message that they may have begun, a request is answered."""
    draw = random.Random(SEED + 1)
    for number in range(ROUNDS):
        for _ in range(20):
            c.send_bytes(draw_bytes(draw, c.uri("p.alg")))
        c.send_bytes(b"\r\n" * 600)  # of a body that was begun
        try:
            settle(c, f"round {number}")
        except AssertionError as error:
            raise AssertionError(f"seed {SEED}, round {number}: {error}") from error
    c.server.stdin.close()
    while c.receive() is not None:
        pass
    errors = c.server.stderr.read()
    assert c.server.wait(60) == 1 and errors == b"", f"seed {SEED}: {errors}"


def check_any_beginning_may_be_the_end(c):
    """However the input breaks off, the server ends, and says nothing that is no message."""
    whole = message(json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}}).encode())
    for length in range(0, len(whole), 7):
        other = type(c)(c.server.args[0], c.folder)
        other.send_bytes(whole[:length])
        assert other.leave() == 1 and other.errors == "", length
    assert c.leave() == 1


def check_positions_beyond_the_text(c):
    c.begin()
    c.notify("textDocument/didOpen", {"textDocument": {"uri": c.uri("p.alg"), "version": 1, "text": "pipeline p(in: u8[1]) { fun f(x) = in(x); }"}})
    c.receive()
    for line, character in ((0, 10**6), (10**9, 0), (2**63 - 1, 2**63 - 1), (0, 44), (1, 0)):
        for method in METHODS[2:]:
            assert "error" not in (c.at(method, "p.alg", line, character) or {}), (method, line, character)
    assert c.end() == 0


def large():
    """A program that takes a while."""
    funcs = " ".join(f"fun q{k}(x, y) = q{k - 1}(x - 1, y) + q{k - 1}(x + 1, y + {k}) * q{k - 1}(x * 2, y / 3);" for k in range(1, 200))
    return "pipeline p(in: int[2]) { fun q0(x, y) = in(x, y); " + funcs + " }"


def children(c):
    return pathlib.Path(f"/proc/{c.server.pid}/task/{c.server.pid}/children").read_text().split()


def check_others_are_answered_meanwhile_and_a_change_ends_it(c):
    c.begin()
    c.notify("textDocument/didOpen", {"textDocument": {"uri": c.uri("large.alg"), "version": 1, "text": large()}})
    assert len(c.open("small.alg", "pipeline")) == 1
    assert len(children(c)) == 1
    assert c.change("large.alg", 2, {"text": "pipeline p() { fun f(x) = x; }"}) == []
    assert children(c) == []
    assert c.end() == 0


def check_nothing_is_published_behind_shutdown(c):
    c.begin()
    c.notify("textDocument/didOpen", {"textDocument": {"uri": c.uri("large.alg"), "version": 1, "text": large()}})
    assert len(c.open("small.alg", "pipeline")) == 1
    assert len(children(c)) == 1
    assert c.ask("shutdown") is None
    assert children(c) == []
    c.notify("exit")
    assert c.leave() == 0


def check_requests_can_be_cancelled(c):
    c.begin()
    c.notify("textDocument/didOpen", {"textDocument": {"uri": c.uri("p.alg"), "version": 1, "text": "pipeline p() { fun f(x) = x; }"}})
    c.receive()
    c.send({"jsonrpc": "2.0", "id": "a", "method": "textDocument/hover", "params": {"textDocument": {"uri": c.uri("p.alg")}, "position": {"line": 0, "character": 19}}})
    c.notify("$/cancelRequest", {"id": "a"})
    answer = c.receive()  # by then it may be done
    assert answer["id"] == "a" and (answer.get("error", {}).get("code") == -32800 or "result" in answer), answer
    c.notify("$/cancelRequest", {"id": "b"})
    c.notify("$/cancelRequest", {})
    assert c.end() == 0


def is_gone(process):
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().split(") ")[1][0] == "Z"
    except FileNotFoundError:
        return True


def check_nothing_is_left_behind(c):
    """Processes that answer end with the server, however that ends."""
    c.begin()
    c.notify("textDocument/didOpen", {"textDocument": {"uri": c.uri("p.alg"), "version": 1, "text": large()}})
    for _ in range(6000):
        if found := children(c):
            break
        time.sleep(0.01)
    assert found
    c.server.kill()
    c.server.wait()
    for _ in range(6000):
        if all(is_gone(child) for child in found):
            return
        time.sleep(0.01)
    raise AssertionError(f"{found} are left")


def check_a_signal_ends_it(c):
    c.begin()
    c.notify("textDocument/didOpen", {"textDocument": {"uri": c.uri("p.alg"), "version": 1, "text": large()}})
    c.server.terminate()
    assert c.server.wait(60) == -15, c.server.returncode


def check_what_takes_all_time_is_an_error_of_its_own(c):
    """With a second of a processor for everything: the server has enough, and what it starts is ended and told."""
    assert c.leave() == 1
    halyard = c.server.args[0]
    c.server = subprocess.Popen(["sh", "-c", 'ulimit -S -t 1; exec "$0" lsp', halyard], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    c.begin()
    c.notify("textDocument/didOpen", {"textDocument": {"uri": c.uri("p.alg"), "version": 1, "text": large()}})
    said = c.receive()
    assert (said["method"], said["params"]["message"]) == ("window/logMessage", "no diagnostics of p.alg: it takes too much time"), said
    assert c.at("hover", "p.alg", 0, large().index("q199"), ) == {"error": -32803}
    assert c.open("small.alg", "pipeline p() { fun f(x) = x; }") == []
    assert c.end() == 0
