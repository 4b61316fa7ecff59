"""Checks of the protocol: its phases, its errors, what is no message at all."""

import subprocess

from client import Client

BLUR = "pipeline p(in: u8[2]) {\n  fun f(x, y) = in(x, y) + 1;\n}\n"
PARSE, INVALID, METHOD, PARAMS, EARLY = -32700, -32600, -32601, -32602, -32002


def same(found, wanted):
    assert found == wanted, f"{found}\n  wanted\n{wanted}"


def check_begins_and_ends(c):
    answer = c.begin()
    same(answer["serverInfo"]["name"], "halyard")
    same(answer["capabilities"]["positionEncoding"], "utf-16")
    same(answer["capabilities"]["textDocumentSync"], {"openClose": True, "change": 2, "save": {"includeText": False}})
    same(c.end(), 0)
    same(c.errors, "")


def check_takes_utf8_where_it_is_offered(c):
    same(c.begin(encodings=["utf-32", "utf-8"])["capabilities"]["positionEncoding"], "utf-8")
    same(c.end(), 0)


def check_keeps_utf16_where_utf8_is_not_offered(c):
    same(c.begin(encodings=["utf-32"])["capabilities"]["positionEncoding"], "utf-16")
    same(c.end(), 0)


def check_refuses_requests_before_initialize(c):
    same(c.ask("textDocument/formatting"), {"error": EARLY})
    same(c.ask("shutdown"), {"error": EARLY})
    c.notify("textDocument/didOpen", {"textDocument": {"uri": c.uri("a.alg"), "version": 1, "text": BLUR}})  # is not heard
    c.begin()
    same(c.at("formatting", "a.alg", 0, 0), {"error": PARAMS})
    same(c.end(), 0)


def check_refuses_a_second_initialize(c):
    c.begin()
    same(c.ask("initialize", {"capabilities": {}}), {"error": INVALID})
    same(c.end(), 0)


def check_refuses_requests_after_shutdown(c):
    c.begin()
    same(c.ask("shutdown"), None)
    same(c.ask("textDocument/formatting"), {"error": INVALID})
    same(c.ask("shutdown"), {"error": INVALID})
    c.notify("exit")
    same(c.leave(), 0)


def check_exit_without_shutdown_is_an_error(c):
    c.begin()
    c.notify("exit")
    same(c.leave(), 1)


def check_exit_before_initialize(c):
    c.notify("exit")
    same(c.leave(), 1)


def check_the_end_of_the_input_is_the_end(c):
    c.begin()
    same(c.open("a.alg", BLUR), [])
    same(c.leave(), 1)


def check_no_input_at_all(c):
    same(c.leave(), 1)


def check_unknown_methods(c):
    c.begin()
    same(c.ask("textDocument/rename"), {"error": METHOD})
    same(c.ask("$/unheard"), {"error": METHOD})
    same(c.ask(""), {"error": METHOD})
    c.notify("$/unheard")
    c.notify("workspace/unheard", {"a": [1]})
    same(c.end(), 0)


def check_parameters_that_are_none(c):
    c.begin()
    same(c.open("a.alg", BLUR), [])
    same(c.at("formatting", "b.alg", 0, 0), {"error": PARAMS})
    document = {"uri": c.uri("a.alg")}
    for position in ({}, {"line": -1, "character": 0}, {"line": 0, "character": 0.5}, {"line": "0", "character": 0}, [], 3):
        same(c.ask("textDocument/formatting", {"textDocument": document, "position": position}), {"error": PARAMS})
    for params in ({}, [], {"textDocument": 3}, {"textDocument": {"uri": 3}}, {"textDocument": {"uri": ""}}):
        same(c.ask("textDocument/formatting", params), {"error": PARAMS})
    same(c.end(), 0)


def refused(c, body, code, number=None):
    c.send_bytes(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    same({key: value for key, value in c.receive().items() if key == "id"}, {"id": number})
    c.send_bytes(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    same(c.receive()["error"]["code"], code)


def check_bodies_that_are_no_json(c):
    for body in (b"", b"{", b"nul", b'{"jsonrpc": "2.0", "id": 1, "method": "x\xff"}', b'{"a": "\\ud800"}', b"\0\0", b"{}{}", b"[" * 5000, b"[" * 100000 + b"]" * 100000,
                 b'{"a":' * 100000 + b"1" + b"}" * 100000):
        refused(c, body, PARSE)
    c.begin()
    same(c.end(), 0)


def check_json_that_is_no_message(c):
    for body in (b"[]", b"3", b"null", b'""', b"{}", b'{"id": 1.5, "method": "shutdown"}', b'{"id": null, "method": "shutdown"}', b'{"id": [], "method": "shutdown"}',
                 b'{"method": 3}', b"[" * 1000 + b"]" * 1000, b'[{"jsonrpc": "2.0", "id": 1, "method": "shutdown"}]'):
        refused(c, body, INVALID)
    refused(c, b'{"id": 7, "method": null}', INVALID, 7)
    c.begin()
    same(c.end(), 0)


def check_answers_to_nothing_are_not_answered(c):
    c.begin()
    c.send({"jsonrpc": "2.0", "id": 9, "result": None})
    c.send({"jsonrpc": "2.0", "id": 9, "error": {"code": 1, "message": "no"}})
    same(c.end(), 0)


def check_ids_may_be_words(c):
    c.begin()
    c.send({"jsonrpc": "2.0", "id": "a\u0000\u00fc", "method": "nothing"})
    answer = c.receive()
    same((answer["id"], answer["error"]["code"]), ("a\u0000\u00fc", METHOD))
    same(c.end(), 0)


def check_what_is_no_header_is_skipped_up_to_the_next(c):
    c.begin()
    noise = [b"GET / HTTP/1.1\r\n\r\n", b"\r\n\r\n", b"Content-Length: \r\n\r\n", b"Content-Length: -3\r\n\r\n", b"Content-Length: 3x\r\n\r\n", b"Content-Length: 0x10\r\n\r\n",
             b"Content-Length: 2\r\nHost: a\r\n\r\n{}", b"Content-Length\r\n\r\n", b"Content-Type: x\r\n\r\n", b"\0\xff\xfe" * 3000,
             b"Content-Length: " + b"0" * 9000 + b"\r\n\r\n"]
    for bytes_of in noise:
        c.send_bytes(bytes_of)
        same(c.ask_after_noise(PARSE), None)
    same(c.end(), 0)


def check_of_two_lengths_the_second_counts(c):
    c.begin()
    c.send_bytes(b"Content-Length: 9\r\nContent-Length: 2\r\n\r\n{}")
    same([c.receive()["error"]["code"] for _ in range(2)], [PARSE, INVALID])
    same(c.end(), 0)


def check_a_length_that_is_too_short_costs_that_message(c):
    c.begin()
    c.send_bytes(b'Content-Length: 10\r\n\r\n{"jsonrpc": "2.0", "id": 99, "method": "shutdown"}')
    same(c.receive()["error"]["code"], PARSE)  # ten bytes of it
    same(c.ask_after_noise(PARSE), None)  # and the rest
    same(c.end(), 0)


def check_messages_that_are_too_long(c):
    c.begin()
    c.send_bytes(b"Content-Length: %d\r\n\r\n" % ((64 << 20) + 1))
    answer = c.receive()
    same((answer["id"], answer["error"]["code"]), (None, INVALID))
    for _ in range(64):
        c.send_bytes(b" " * (1 << 20))
    c.send_bytes(b" ")  # all of it is skipped
    same(c.end(), 0)
    for digits in ("18446744073709551616", "9" * 400):  # never ends
        with_huge = Client(c.server.args[0], c.folder)
        with_huge.send_bytes(b"Content-Length: " + digits.encode() + b"\r\n\r\nabc")
        same(with_huge.receive()["error"]["code"], INVALID)
        same(with_huge.leave(), 1)


def check_headers_as_other_clients_write_them(c):
    c.begin()
    body = b'{"jsonrpc": "2.0", "id": 5, "method": "nothing"}'
    for head in (b"content-length:%d\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n", b"Content-Type: x\r\nCONTENT-LENGTH:   %d  \r\n\r\n",
                 b"Content-Length: %d\n\n"):
        c.send_bytes(head % len(body) + body)
        same(c.receive()["error"]["code"], METHOD)
    same(c.end(), 0)


def check_messages_in_pieces_and_several_at_once(c):
    c.begin()
    body = b'{"jsonrpc": "2.0", "id": 5, "method": "nothing"}'
    message = b"Content-Length: %d\r\n\r\n" % len(body) + body
    for byte in message:
        c.send_bytes(bytes([byte]))
    same(c.receive()["error"]["code"], METHOD)
    c.send_bytes(message * 100)
    for _ in range(100):
        same(c.receive()["error"]["code"], METHOD)
    same(c.end(), 0)


def check_the_command_line(c):
    same(c.leave(), 1)
    halyard = c.server.args[0]

    def run(*arguments, data=b""):
        done = subprocess.run([halyard, "lsp", *arguments], input=data, capture_output=True, timeout=60)
        return done.returncode, done.stdout.decode(), done.stderr.decode()
    same(run("--stdio"), (1, "", ""))
    status, out, errors = run("a.alg")
    same((status, out), (2, ""))
    assert "error[HY0703]: 'lsp' takes no files, but 'a.alg' follows it: the editor opens them" in errors, errors
    same(run("--port=3")[:2], (2, ""))
    status, out, errors = run(data=b"Content-Length: 1\r\n\r\n3")
    same((status, errors), (1, ""))
    full = subprocess.run(f"printf 'Content-Length: 1\\r\\n\\r\\n3' | '{halyard}' lsp > /dev/full", shell=True, capture_output=True, timeout=60)
    same((full.returncode, full.stderr), (1, b""))
