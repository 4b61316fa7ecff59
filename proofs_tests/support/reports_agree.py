#!/usr/bin/env python3
"""reports_agree.py STATUS PREFIX: do the reports of one gate, PREFIX.md, .xml, .sarif, .svr and .tests, say what its exit status says? A gate that ended with a
usage error (2) may have written none. Prints what does not agree; status 1 then.
"""
import json
import os
import sys
import xml.etree.ElementTree as tree

status, prefix = int(sys.argv[1]), sys.argv[2]
names = {e: f"{prefix}.{e}" for e in ("md", "xml", "sarif", "svr", "tests")}
there = {e for e, path in names.items() if os.path.exists(path)}
faults = []


def want(holds, what):
    if not holds:
        faults.append(what)


if not there:
    want(status == 2, f"status {status}, and no report")
else:
    want(there == set(names), f"some reports alone: {sorted(there)}")
    verdicts = {0: "passed", 1: "wrong", 2: "malformed", 3: "undecided", 4: "defect", 5: "slower", 6: "stale"}
    said = open(names["md"]).read().split("\n")[0]
    want(said.startswith(f"### halyard gate: {verdicts[status]}"), f"Markdown says '{said}'")
    tests = json.load(open(names["tests"]))["predicate"]
    want((tests["result"] == "FAILED") == (status != 0), f"the test result is {tests['result']}")
    want(bool(tests["failedTests"]) == (status != 0), f"failed tests: {tests['failedTests']}")
    suites = tree.parse(names["xml"]).getroot()
    bad = suites.findall(".//failure") + suites.findall(".//error")
    want(bool(bad) == (status not in (0, 3)), f"JUnit has {len(bad)} failures")
    want(status != 3 or suites.findall(".//skipped"), "JUnit skips nothing")
    results = json.load(open(names["sarif"]))["runs"][0]["results"]
    want(status == 0 or results, "SARIF has no result")
    held = {p[len("HALYARD_G")] for p in json.load(open(names["svr"]))["predicate"]["properties"]}
    broken = {t[len("level ")] for t in tests["failedTests"] + tests["warnedTests"]}
    want(not held & broken, f"levels {sorted(held & broken)} hold, and have checks that do not pass")
    want(not any(ord(c) < 32 and c not in "\n" for e in ("md", "svr", "tests") for c in open(names[e], newline="").read()), "control characters")
for fault in faults:
    print(fault)
sys.exit(1 if faults else 0)
