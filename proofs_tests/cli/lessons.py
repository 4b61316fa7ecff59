#!/usr/bin/env python3
"""Does what the lessons of docs/tutorial/ say: lessons.py HALYARD [--bless] [LESSON.md ...]

Each lesson has a folder of its own with apps/, include/ and photo.png. Its code blocks are, in order,
- a file, if the first line is a comment with nothing but its name ("// blur.alg"): written there, whole, under that name;
- a session, if the first line begins with "$ ": each such line is run by bash; what stands below it is what it prints (standard
  output, then errors), times, lengths of files, identities and numbers of samples masked, trailing blanks passed over; a line "..." stands for any lines, none as well. "# status 1" ends a
  command that fails so; of any other the status is 0;
- neither, and to be read alone, if it is opened by ```text. Anything else is an error, as is a session that shows nothing of what
  a command printed, or a file that no later command of the lesson names.
--bless writes what came in the place of what stands there. The last line is "N passed, N failed".
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILE = re.compile(r"// ([a-z0-9_]+\.(?:alg|sched|tgt|c))$")
STATUS = re.compile(r"\s+# status (\d)$")
MASKED = re.compile(r"\b\d+(?:\.\d+)? ?(?:ms|us|s|bytes)\b|(?<=identity )[0-9a-f]{16,}(?:\.\.\.)?|(?<=sampled after )\d+|(?<=outputs after )\d+")


def blocks(text):
    """(number of the first line, info, lines) of each code block; the number counts from 0."""
    lines, start = text.split("\n"), None
    for number, line in enumerate(lines):
        if line.startswith("```"):
            if start is None:
                start = number
            else:
                yield start + 1, lines[start][3:], lines[start + 1:number]
                start = None
    if start is not None:
        yield start + 1, "unclosed", lines[start + 1:]


def same(shown, came):
    """Is what is shown what came? "..." stands for any lines."""
    parts = ["".join(re.escape(MASKED.sub("N", line.rstrip())) + "\n" for line in part) for part in split(shown, "...")]
    return re.fullmatch("(?:.*\n)*".join(parts), "".join(MASKED.sub("N", line.rstrip()) + "\n" for line in came)) is not None


def split(lines, mark):
    parts = [[]]
    for line in lines:
        if line == mark:
            parts.append([])
        else:
            parts[-1].append(line)
    return parts


class Lesson:
    def __init__(self, path, folder, environment):
        self.path, self.folder, self.environment = path, folder, environment
        self.passed, self.said, self.edits, self.unused = 0, [], [], {}

    def bad(self, number, what):
        self.said.append(f"FAILED {self.path.relative_to(ROOT)}:{number + 1}: {what}")

    def run(self):
        for number, info, lines in blocks(self.path.read_text()):
            name = FILE.match(lines[0]) if lines else None
            if info == "text":
                continue
            if info:
                self.bad(number - 1, f"a code block '{info}'")
            elif name:
                self.use("\n".join(lines[1:]))  # what it includes
                (self.folder / name[1]).write_text("\n".join(lines) + "\n")
                self.unused[name[1]] = number
            elif lines and lines[0].startswith("$ "):
                self.session(number, lines)
            else:
                self.bad(number, "neither a file ('// NAME.alg') nor a session ('$ ...'), nor opened by ```text")
        for name, number in self.unused.items():
            self.bad(number, f"no command uses {name}")

    def use(self, text):
        for name in [name for name in self.unused if name in text]:
            del self.unused[name]

    def session(self, number, lines):
        starts = [at for at, line in enumerate(lines) if line.startswith("$ ")] + [len(lines)]
        for start, end in zip(starts, starts[1:]):
            self.command(number + start, lines[start], lines[start + 1:end])

    def command(self, number, line, shown):
        status = STATUS.search(line)
        command = STATUS.sub("", line[2:])
        self.use(command)
        try:
            done = subprocess.run(["bash", "-c", command], cwd=self.folder, env=self.environment, stdin=subprocess.DEVNULL, timeout=300,
                                  capture_output=True, text=True, errors="replace", check=False)
        except subprocess.TimeoutExpired:
            self.bad(number, f"no end after 300 seconds: {command}")
            return
        came = (done.stdout + done.stderr).rstrip("\n").split("\n") if done.stdout + done.stderr else []
        wanted = int(status[1]) if status else 0
        if done.returncode != wanted:
            self.bad(number, f"status {done.returncode}, not {wanted}: {command}\n" + "\n".join("    " + text for text in came[:6]))
        elif not same(shown, came):
            self.edits.append((number + 1, len(shown), came))
            self.bad(number, f"{command}\n  shown:\n" + "\n".join("    " + text for text in shown[:12]) + "\n  came:\n" +
                     "\n".join("    " + text for text in came[:12]))
        else:
            self.passed += 1

    def bless(self):
        lines = self.path.read_text().split("\n")
        for start, length, came in reversed(self.edits):
            lines[start:start + length] = [line.rstrip() for line in came]
        self.path.write_text("\n".join(lines))


def main():
    arguments = [argument for argument in sys.argv[1:] if argument != "--bless"]
    halyard = pathlib.Path(arguments[0]).resolve()
    lessons = [pathlib.Path(name).resolve() for name in arguments[1:]] or sorted((ROOT / "docs/tutorial").glob("[0-9]*.md"))
    passed = failed = 0
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        environment = {**os.environ, "PATH": f"{halyard.parent}:{os.environ['PATH']}", "LC_ALL": "C"}
        subprocess.run([halyard, "run", "apps/scene.alg", "apps/scene.sched", "--window", "x=0:320,y=0:240", "-o", scratch / "photo.png"],
                       cwd=ROOT, check=True, capture_output=True)
        for path in lessons:
            folder = scratch / path.stem
            folder.mkdir()
            for name in ("apps", "include"):
                (folder / name).symlink_to(ROOT / name)
            shutil.copy(scratch / "photo.png", folder)
            lesson = Lesson(path, folder, environment)
            lesson.run()
            if "--bless" in sys.argv:
                lesson.bless()
            passed, failed = passed + lesson.passed, failed + len(lesson.said)
            if lesson.said:
                print("\n".join(lesson.said))
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
