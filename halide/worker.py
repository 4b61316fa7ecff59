"""Halide, held by a process that stays: compiles and runs exported programs for halide/host.c, which starts it with
its end of a socket as the first argument, and with what is to be known of the machine as the others.

Three kinds of process, each a fork of the one before, so that Halide is loaded once:
  the host    waits for sockets that are passed to it: each is a conversation with one user
  a speaker   holds a conversation: reads a request, has it carried out, tells how that ended
  a runner    compiles one program, runs it and ends: whatever Halide does to its process, the next one has a fresh one

A request is a line "ask N SECONDS MEGABYTES" and N bytes of JSON, a line "bytes N" and N bytes: the images' elements,
run after run. Answers are lines "kind N", each with N bytes: "compiled", then "output" or "refused" for each run; or
"refused" of the program; at the end "done", or "died" with how the runner ended and its last words.
"""
import ctypes
import json
import os
import re
import resource
import select
import signal
import socket
import subprocess
import sys
import time

HOST_SOCKET, ROOT, TARGET = int(sys.argv[1]), sys.argv[2], sys.argv[3]
MOST_WORDS, WALL_FACTOR = 2000, 30
OLDEST = 14


def tell(to, kind, data=b""):
    to.sendall(b"%s %d\n" % (kind, len(data)) + data)


# -- Halide --


def add_root():
    """The places below HALIDE_ROOT where the bindings may lie."""
    own = "python%d.%d" % sys.version_info[:2]
    installed = ("", "lib/python3/dist-packages", "lib/python3/site-packages", "lib/%s/site-packages" % own)
    built = ("python_bindings", "python_bindings/src", "python_bindings/src/halide/Release")
    for part in installed + built:
        sys.path.insert(0, os.path.join(ROOT, part))


def package_version(path):
    """That of Debian's package, without its revision; None where it is not known."""
    try:
        owner = subprocess.run(["dpkg-query", "-S", os.path.realpath(path)], capture_output=True, text=True, check=True)
        asked = ["dpkg-query", "-W", "-f", "${Version}", owner.stdout.split(": ")[0]]
        return subprocess.run(asked, capture_output=True, text=True, check=True).stdout.split("-")[0]
    except (OSError, subprocess.CalledProcessError):
        return None


def version_of(halide):
    """The library's version: the bindings of Debian do not tell, its package or its file's name do."""
    said = getattr(halide, "__version__", "")
    if said:
        return said
    with open("/proc/self/maps", encoding="utf-8", errors="replace") as maps:
        for line in maps:
            path = line.split(None, 5)[-1].strip() if "libHalide" in line else ""
            number = re.search(r"libHalide([0-9]*)\.so\.([0-9.]+)$", os.path.realpath(path)) if path else None
            if number:
                return package_version(path) or number.group(1) or number.group(2)
    return "unknown"


def warm(halide):
    """The first program makes the parts of Halide's run-time library that all share."""
    x, f = halide.Var("x"), halide.Func("warm")
    f[x] = x
    f.parallel(x)
    f.compile_jit(halide.Target(TARGET))


# -- one program --


class Span(ctypes.Structure):
    """Python's Py_buffer: where an array lies."""
    _fields_ = [("buf", ctypes.c_void_p), ("obj", ctypes.py_object), ("len", ctypes.c_ssize_t),
                ("itemsize", ctypes.c_ssize_t), ("readonly", ctypes.c_int), ("ndim", ctypes.c_int),
                ("format", ctypes.c_char_p), ("shape", ctypes.c_void_p), ("strides", ctypes.c_void_p),
                ("suboffsets", ctypes.c_void_p), ("internal", ctypes.c_void_p)]


def address_of(buffer):
    """Of the first element, whatever order the bindings list the dimensions in."""
    span = Span()
    full = 0x11C  # PyBUF_FULL_RO
    ctypes.pythonapi.PyObject_GetBuffer(ctypes.py_object(buffer), ctypes.byref(span), full)
    return span.buf


def halide_type(halide, name):
    kinds = {"i": halide.Int, "u": halide.UInt, "f": halide.Float}
    return halide.Bool() if name == "bool" else kinds[name[0]](int(name[1:]))


def make_buffer(halide, box, lies=True):
    """An empty one lies somewhere, being cut off one that is not: otherwise Halide is asked for bounds, and computes nothing."""
    buffer = halide.Buffer(halide_type(halide, box["type"]), [max(n, 1) if lies else n for n in box["len"]])
    if box["len"]:
        buffer.set_min(box["min"])
    for d, n in enumerate(box["len"]):
        if n == 0 and lies:
            buffer.crop(d, box["min"][d], 0)
    return buffer


def elements_of(buffer, box):
    return ctypes.string_at(address_of(buffer), box["bytes"]) if box["bytes"] else b""


def value_of(name, bits):
    bits = int(bits, 16)
    raw = bits.to_bytes(8, "little")
    if name == "f32":
        return ctypes.c_float.from_buffer_copy(raw).value
    if name == "f64":
        return ctypes.c_double.from_buffer_copy(raw).value
    if name == "bool":
        return bool(bits & 1)
    width = int(name[1:])
    bits &= (1 << width) - 1
    return bits - (1 << width) if name[0] == "i" and bits >> (width - 1) else bits


def set_params(params, given):
    for param, setting in zip(params, given):
        value = value_of(setting["type"], setting["bits"])
        param.set(value)
        if setting["type"] == "f64" and value == value and ctypes.c_float(value).value != value:
            raise ValueError("the bindings pass a parameter of 64 bits through a float of 32, which %r does not fit" % value)


class Images:
    """The elements that a request holds, taken one image after the other."""

    def __init__(self, data):
        self.data, self.at = data, 0

    def bind(self, halide, image, box):
        buffer = make_buffer(halide, box)
        if box["bytes"]:
            ctypes.memmove(address_of(buffer), self.data[self.at:self.at + box["bytes"]], box["bytes"])
        self.at += box["bytes"]
        image.set(buffer)


def carry_out(halide, request, data, to):
    """In a runner: tells of the program, then of each run."""
    target = halide.Target(TARGET)
    space = {"__name__": "exported"}
    try:
        exec(compile(request["program"], "exported.py", "exec"), space)
        output, params, images = space["build"]()
        pipeline = output if isinstance(output, halide.Pipeline) else halide.Pipeline(output)
        pipeline.compile_jit(target)
    except MemoryError:
        raise
    except Exception as error:  # Halide's own are RuntimeErrors, the bindings' TypeErrors
        tell(to, b"refused", str(error).encode())
        return
    tell(to, b"compiled")
    elements = Images(data)
    for run in request["runs"]:
        try:
            for image, box in zip(images, run["images"]):
                elements.bind(halide, image, box)
            set_params(params, run["params"])
            lies = any(box["bytes"] for box in run["outputs"])  # where all are empty nothing is to be computed
            results = [make_buffer(halide, box, lies) for box in run["outputs"]]
            pipeline.realize(results if len(results) > 1 else results[0], target)
            tell(to, b"output", b"".join(map(elements_of, results, run["outputs"])))
        except MemoryError:
            raise
        except Exception as error:
            tell(to, b"refused", str(error).encode())


# -- conversations --


def run_apart(halide, request, data, to, seconds, megabytes, words):
    """The runner, which ends its process."""
    os.dup2(words, 1)
    os.dup2(words, 2)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    if megabytes:
        resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))
    status = 1
    try:
        carry_out(halide, request, data, to)
        status = 0
    except MemoryError:
        os.write(2, b"out of memory\n")
    finally:
        os._exit(status)


def last_words(words):
    size = os.fstat(words).st_size
    text = os.pread(words, MOST_WORDS, max(0, size - MOST_WORDS))
    os.ftruncate(words, 0)
    return text.strip()


def end_of(child, to, seconds):
    """Waits for the runner: "time" if it used up its processor time, "clock" if it did nothing for as long."""
    watch = os.pidfd_open(child)
    ears = select.poll()
    ears.register(watch, select.POLLIN)
    ears.register(to, select.POLLRDHUP | select.POLLHUP)
    deadline, late = time.monotonic() + seconds * WALL_FACTOR, False
    while not late:
        heard = ears.poll(max(0, deadline - time.monotonic()) * 1000)
        late = not heard
        if any(file == watch for file, _ in heard):
            break
        if heard:  # nobody listens any more
            os.kill(child, signal.SIGKILL)
            os._exit(0)
    if late:
        os.kill(child, signal.SIGKILL)
    os.close(watch)
    status = os.waitpid(child, 0)[1]
    if late:
        return "clock"
    if os.WIFSIGNALED(status):
        return "time" if os.WTERMSIG(status) == signal.SIGXCPU else "signal %d" % os.WTERMSIG(status)
    return "status %d" % os.WEXITSTATUS(status) if os.WEXITSTATUS(status) else ""


def read_line(stream):
    line = stream.readline()
    if not line:
        os._exit(0)
    return line.split()


def speak(halide, to):
    stream = to.makefile("rb")
    words = os.memfd_create("words")
    while True:
        _, size, seconds, megabytes = read_line(stream)
        request = json.loads(stream.read(int(size)))
        data = stream.read(int(read_line(stream)[1]))
        child = os.fork()
        if child == 0:
            run_apart(halide, request, data, to, int(seconds), int(megabytes), words)
        end = end_of(child, to, int(seconds))
        said = last_words(words)
        if end:
            tell(to, b"died", end.encode() + b"\n" + said)
        else:
            tell(to, b"done")


def main():
    host = socket.socket(fileno=HOST_SOCKET)
    if ROOT:
        add_root()
    try:
        import halide
        version = version_of(halide)
        if version != "unknown" and int(version.split(".")[0]) < OLDEST:
            raise ImportError("this is Halide %s, and %d is the oldest that is known" % (version, OLDEST))
        warm(halide)
    except Exception as error:
        host.send(b"missing %s" % str(error).encode()[:MOST_WORDS])
        return
    host.send(b"ready %s %s" % (version.encode(), sys.version.split()[0].encode()))
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        word, files, _, _ = socket.recv_fds(host, 1, 1)
        if not word:
            return
        if os.fork() == 0:
            host.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            speak(halide, socket.socket(fileno=files[0]))
        os.close(files[0])


main()
