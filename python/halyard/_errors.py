"""What goes wrong: an exception for each kind of problem, and diagnostics as objects."""

from __future__ import annotations

import dataclasses

from ._declarations import halyard_diagnostic, halyard_problem, halyard_severity
from ._library import library


def text_of(value):
    """A text of the library as a str; None for NULL. It may quote bytes that are no UTF-8."""
    return None if value is None else value.decode("utf-8", "replace")


@dataclasses.dataclass(frozen=True)
class Diagnostic:
    """One thing that is said of a program: what, where, which rule it is about, and what to write instead."""

    severity: str  #: "error", "warning" or "note"
    code: str  #: "HY0231", explained in docs/errors.md
    message: str
    file: str | None  #: "algorithm", "schedule" or "program"; None: it has no place
    line: int  #: from 1; 0: it has no place
    column: int
    length: int
    rule: str | None
    hint: str | None  #: what to write instead
    text: str  #: all of it as the command line prints it, with the line and a caret

    def __str__(self) -> str:
        return self.text.rstrip("\n")

    @classmethod
    def _of(cls, said: halyard_diagnostic) -> Diagnostic:
        return cls(severity=halyard_severity(said.severity).name.lower(), code=f"HY{said.code:04}",
                   message=text_of(said.message), file=text_of(said.file), line=said.line, column=said.column,
                   length=said.length, rule=text_of(said.rule), hint=text_of(said.hint), text=text_of(said.text) or "")


def listed(function, holder, kind):
    """What function(holder, 0), function(holder, 1), ... point at, each made into a "kind", until NULL."""
    found = []
    while item := function(holder, len(found)):
        found.append(kind._of(item.contents))
    return tuple(found)


class Error(Exception):
    """Halyard could not do what it was asked to. Nothing was done, and everything else can be used on."""

    def __init__(self, message: str, call: str = "", diagnostics: tuple[Diagnostic, ...] = ()):
        super().__init__(message)
        self.message = message
        self.call = call  #: the function of halyard.h that failed; "": this module found it
        self.diagnostics = diagnostics

    def __str__(self) -> str:
        return "\n".join([self.message, *map(str, self.diagnostics)])

    @property
    def first(self) -> Diagnostic | None:
        """The first diagnostic that is an error; None: there is none."""
        return next((d for d in self.diagnostics if d.severity == "error"), None)

    @property
    def code(self) -> str | None:
        """Of the first error: "HY0231"."""
        return self.first.code if self.first else None

    @property
    def line(self) -> int | None:
        return self.first.line if self.first else None

    @property
    def column(self) -> int | None:
        return self.first.column if self.first else None

    @property
    def hint(self) -> str | None:
        """Of the first error that has one: what to write instead."""
        return next((d.hint for d in self.diagnostics if d.hint), None)


class Misuse(Error, ValueError):
    """The call cannot be made so: a name that is none, an array of a wrong type, shape or memory, ..."""


class Closed(Misuse):
    """The object, or what it belongs to, was closed."""


class Refused(Error):
    """The program is wrong: see the diagnostics."""


class Unproved(Error):
    """Code is wanted of what is not proved. The diagnostics are those of the check."""


class Failed(Error):
    """A run ended without a result: an image is too small, a parameter is out of range, ..."""


class NoMemory(Error, MemoryError):
    """Memory ran out."""


class NoFile(Error, OSError):
    """A file cannot be read, or written."""


class Defect(Error):
    """Halyard is at fault, not the program."""


KINDS = {
    halyard_problem.MISUSE: Misuse, halyard_problem.REFUSED: Refused, halyard_problem.UNPROVED: Unproved,
    halyard_problem.FAILED: Failed, halyard_problem.NO_MEMORY: NoMemory, halyard_problem.NO_FILE: NoFile,
    halyard_problem.DEFECT: Defect,
}


def error_of(error: int) -> Error:
    """The exception for a halyard_error."""
    diagnostics = listed(library.halyard_error_diagnostic, error, Diagnostic)
    kind = KINDS.get(library.halyard_error_problem(error), Error)
    return kind(text_of(library.halyard_error_message(error)), text_of(library.halyard_error_call(error)), diagnostics)
