"""Contexts, and what belongs to them: who frees what, and when.

Python collects objects in any order and in any thread; the library's objects belong to a context, which is for one
thread at a time. So a context has a lock, "turn", that is held during each call, and a collected object is never freed
by force: it is put into a queue, which is emptied at once where the turn is free, and else before the next call.
"""

from __future__ import annotations

import collections
import contextlib
import ctypes
import threading
import weakref

from . import _errors
from ._declarations import halyard_options, halyard_z3
from ._errors import Closed, Misuse, text_of
from ._library import library


def encode(text, what):
    """A str for the library, whose texts end at a zero byte."""
    if not isinstance(text, str):
        raise TypeError(f"{what} is a str, not {type(text).__name__}")
    if "\0" in text:
        raise Misuse(f"{what} has a zero character")
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise Misuse(f"{what} has half of a surrogate pair") from None


class _Turn:
    """A lock that knows its holder: finalizers and handlers of signals run anywhere, also in the middle of a call."""

    def __init__(self):
        self._lock = threading.Lock()
        self._holder = None

    def is_mine(self):
        return self._holder == threading.get_ident()

    def __enter__(self):
        if self.is_mine():
            raise Misuse("a call from inside of another one with the same context: by a finalizer, or a signal's handler")
        self._lock.acquire()
        self._holder = threading.get_ident()

    def try_take(self):
        """False: it is somebody's, maybe this thread's."""
        taken = self._lock.acquire(blocking=False)
        if taken:
            self._holder = threading.get_ident()
        return taken

    def release(self):
        self._holder = None
        self._lock.release()

    def __exit__(self, *_):
        self.release()


class Handle:
    """What the library gave for a pipeline, a result or code, and the function that frees it."""

    __slots__ = ("context", "address", "free", "what", "__weakref__")

    def __init__(self, context, address, free, what):
        self.context, self.address, self.free, self.what = context, address, free, what

    def live(self):
        """requires: it is the context's turn."""
        if self.address is None:
            raise Closed(f"the {self.what} was closed")
        return self.address


class Owned:
    """What has a handle: it can be closed, by hand or by "with", and is when it is collected."""

    _handle: Handle  # not there where making it failed

    @property
    def context(self) -> Context:
        """The context that it belongs to."""
        return self._handle.context

    @property
    def closed(self) -> bool:
        return self._handle.address is None or self.context.closed

    def close(self) -> None:
        """Frees it now. Closing twice is fine."""
        self._handle.context._close(self._handle)

    def __enter__(self):
        if self.closed:
            raise Closed(f"the {self._handle.what} was closed")
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        handle = getattr(self, "_handle", None)
        if handle is not None:
            handle.context._drop(handle)


class Context:
    """Everything belongs to a context. Each thread has one of its own (halyard.context()), so that you need none.

    z3: where what Halyard's own prover leaves open is put to Z3: "here" (in this process), "helper" (in processes that
    are forked, and killed where they take too long) or "nobody" (it stays open). z3_steps: for each question, in 1000
    of Z3's own steps; 0: 400. entry_checks: what cannot be decided for all inputs is checked whenever code is run.

    Calls of several threads with one context take turns; those of different contexts run side by side.
    """

    _address = None  # until there is one, and behind its end

    def __init__(self, *, z3: str = "here", z3_steps: int = 0, entry_checks: bool = False):
        self._turn = _Turn()
        self._dropped: collections.deque[Handle] = collections.deque()
        self._handles: weakref.WeakSet[Handle] = weakref.WeakSet()
        options = halyard_options(size=ctypes.sizeof(halyard_options), z3=_policy(z3), z3_steps=_steps(z3_steps),
                                  entry_checks=bool(entry_checks))
        self._address = library.halyard_context_new(options)
        if not self._address:
            raise _errors.error_of(library.halyard_last_error(None))

    def __repr__(self) -> str:
        return f"<halyard.Context{', closed' if self.closed else ''}>"

    @property
    def closed(self) -> bool:
        return self._address is None

    def close(self) -> None:
        """Frees all that belongs to it. Whatever of it is used afterwards raises Closed."""
        with self._turn:
            self._end()

    def __enter__(self) -> Context:
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if self._address is not None:
            self._end()

    def _end(self):
        address, self._address = self._address, None
        if address is not None:
            library.halyard_context_free(address)

    @contextlib.contextmanager
    def temporary(self):
        """with context.temporary(): all pipelines, results and code made inside are closed at its end."""
        before = set(self._handles)
        try:
            yield self
        finally:
            for handle in set(self._handles) - before:
                self._close(handle)

    # -- calls --

    def live(self):
        """requires: it is its turn."""
        if self._address is None:
            raise Closed("the context was closed")
        return self._address

    def _call(self, name, *arguments, needs=(), read=None, keeps=True):
        """The library's function of that name. Raises where it gives NULL or false.

        arguments: a handle or a context stands for its address. needs: handles that must be open, too. read: makes
        something of what the function gave, while it is this call's turn. keeps: False where the context would keep
        what was read, a text, until its end: it is freed.
        """
        with self._turn:
            context = self.live()
            self._free_dropped()
            for handle in needs:
                handle.live()
            addresses = [each.live() if isinstance(each, (Handle, Context)) else each for each in arguments]
            library.halyard_clear_error(context)
            mark = None if keeps else library.halyard_mark(context)
            value = getattr(library, name)(*addresses)
            if not value:
                raise self._error()
            made = read(value) if read else value
            if not keeps:
                library.halyard_release(context, mark)
            return made

    def _text(self, name, *arguments, needs=()):
        return self._call(name, *arguments, needs=needs, read=text_of, keeps=False)

    def _own(self, what, name, *arguments, read=None):
        """A handle of what the function makes, which is freed by halyard_WHAT_free. read: looks at it at once."""
        def keep(made):
            handle = Handle(self, made, getattr(library, f"halyard_{what}_free"), what)
            self._handles.add(handle)
            if read:
                read(made)
            return handle
        return self._call(name, *arguments, read=keep)

    def _error(self):
        error = library.halyard_last_error(self._address) or library.halyard_last_error(None)
        return _errors.error_of(error)

    # -- the ends of objects --

    def _close(self, handle):
        if self._turn.is_mine():
            self._dropped.append(handle)
            return
        with self._turn:
            self._free(handle)

    def _drop(self, handle):
        """Its object is collected: maybe in the middle of another call, and by a thread that must not wait."""
        self._dropped.append(handle)
        if self._turn.try_take():
            try:
                self._free_dropped()
            finally:
                self._turn.release()

    def _free_dropped(self):
        while self._dropped:
            self._free(self._dropped.popleft())

    def _free(self, handle):
        """What a context that has ended held is gone: a collector may end it before what belongs to it."""
        address, handle.address = handle.address, None
        if address is not None and self._address is not None:
            handle.free(address)


def _policy(z3):
    policies = {policy.name.lower(): policy for policy in halyard_z3}
    if z3 not in policies:
        raise Misuse(f"z3 is one of {', '.join(map(repr, policies))}, not {z3!r}")
    return policies[z3]


def _steps(number):
    if not isinstance(number, int):
        raise TypeError(f"z3_steps is an int, not {type(number).__name__}")
    if not 0 <= number < 2**32:
        raise Misuse(f"z3_steps lies in 0..2**32 - 1, and is {number}")
    return number


_thread = threading.local()


def context() -> Context:
    """This thread's context: made when it is first asked for, or after the last one was closed."""
    found = getattr(_thread, "context", None)
    if found is None or found.closed:
        found = _thread.context = Context()
    return found
