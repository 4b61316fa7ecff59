"""libhalyard itself: finds it, loads it, and gives its functions their types (_declarations.py).

Looked at are, in this order: the file that the environment variable HALYARD_LIBRARY names, and then nothing else; the
libraries of the tree in which this module is installed; where the dynamic linker looks.
"""

import ctypes
import os
import pathlib

from . import _declarations

SONAME = "libhalyard.so.0"


def _candidates():
    """Of this tree, which may have been moved: PREFIX/lib/python3/dist-packages/halyard and PREFIX/lib/libhalyard.so.0."""
    for folder in pathlib.Path(__file__).resolve().parents:
        for place in (folder, folder / "lib", folder / "lib64"):
            if (place / SONAME).is_file():
                yield str(place / SONAME)
    yield SONAME


def _open():
    named = os.environ.get("HALYARD_LIBRARY")
    if named:
        return _open_file(named, f"HALYARD_LIBRARY names '{named}', which cannot be loaded")
    for name in _candidates():
        return _open_file(name, f"there is no {SONAME} beside this module or where the dynamic linker looks; "
                                "set HALYARD_LIBRARY to the file")
    raise AssertionError("the last candidate is always there")


def _open_file(name, complaint):
    try:
        return ctypes.CDLL(name)
    except OSError as error:
        raise ImportError(f"halyard: {complaint}: {error}") from None


def _declare(library):
    """Gives every function its types. A library that lacks one is not of this module's version."""
    for name, (result, arguments) in _declarations.FUNCTIONS.items():
        try:
            function = getattr(library, name)
        except AttributeError:
            raise ImportError(f"halyard: {library._name} has no {name}: it is no libhalyard {_declarations.VERSION}, "
                              "for which this module was made") from None
        function.restype, function.argtypes = result, arguments


def _series(version):
    return version.split(".")[:2]


def load():
    """The library, of the same minor version as this module."""
    library = _open()
    _declare(library)
    version = library.halyard_version().decode()
    if _series(version) != _series(_declarations.VERSION):
        raise ImportError(f"halyard: {library._name} is version {version}, and this module is made for "
                          f"{_declarations.VERSION}: install both from one build")
    return library


library = load()


def words(table):
    """The library's table of that kind: halyard_word structures, which live as long as the process."""
    position = 0
    while True:
        found = library.halyard_word_at(table, position)
        if not found:
            return
        yield found.contents
        position += 1
