#!/usr/bin/env python3
"""check_lsp.py HALYARD [PATTERN]: sessions with 'halyard lsp', each answer compared with what is expected, exactly.

The extension of VS Code is tried as well, where node is there. A check is a function of a module beside this one whose name begins with check_; each gets a client and a folder of its own.
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import traceback

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import client  # noqa: E402
import completion  # noqa: E402
import diagnostics  # noqa: E402
import hostile  # noqa: E402
import hover  # noqa: E402
import protocol  # noqa: E402
import texts  # noqa: E402

MODULES = [protocol, diagnostics, texts, completion, hover, hostile]


def run_one(check, halyard):
    """None, or what went wrong."""
    with tempfile.TemporaryDirectory() as scratch:
        session = client.Client(halyard, pathlib.Path(scratch).resolve())
        guard = threading.Timer(client.SECONDS, lambda: session.server.kill())  # whoever waits for an answer goes on
        guard.start()
        try:
            check(session)
            return None if session.server.returncode is not None else "the session was not ended"
        except Exception:  # pylint: disable=broad-except  # whatever it is belongs to this check alone
            return traceback.format_exc(limit=-3)
        finally:
            guard.cancel()
            session.server.kill()
            session.server.wait()


def main():
    halyard = str(pathlib.Path(sys.argv[1]).resolve())
    wanted = sys.argv[2] if len(sys.argv) > 2 else ""
    passed = failed = 0
    for module in MODULES:
        for name, check in list(vars(module).items()):
            if not name.startswith("check_") or wanted not in f"{module.__name__}.{name}":
                continue
            wrong = run_one(check, halyard)
            passed += wrong is None
            failed += wrong is not None
            if wrong:
                print(f"FAILED {module.__name__}.{name}: {wrong}")
    skipped = 0
    if wanted in "vscode" and shutil.which("node"):
        done = subprocess.run(["node", pathlib.Path(__file__).resolve().parent / "check_vscode.js", halyard], capture_output=True, text=True, timeout=300, check=False)
        passed += done.returncode == 0
        failed += done.returncode != 0
        if done.returncode:
            print(done.stdout + done.stderr)
    elif wanted in "vscode":
        skipped += 1
        print("skipped: no node for the extension of VS Code")
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return failed > 0 or not passed


if __name__ == "__main__":
    sys.exit(main())
