#!/usr/bin/env python3
"""forge_shipment.py DIR [note] [keep] [bytes=N]: makes lengths, hashes, identity and sums of a shipped folder called "blur" fit what lies in it, as
somebody would who wants to deceive. "note": the notes of the objects, too; "keep": what the identity is of stays as it was; "bytes": how many the manifest says
that the certificates have.
"""
import gzip
import hashlib
import json
import re
import sys

folder, note, keep = sys.argv[1], "note" in sys.argv, "keep" in sys.argv
path = folder + "/blur.manifest.json"
manifest = json.load(open(path))
sha = lambda data: hashlib.sha256(data).hexdigest()
read = lambda name: open(folder + "/" + name, "rb").read()
content = manifest["content"]
for key, name in (("algorithm", "blur.alg"), ("schedule", "blur.sched"), ("target_program", "blur.tgt")) if not keep else ():
    content[key] = sha(read(name))
plain = gzip.decompress(read("blur.cert.gz"))
told = [int(a[len("bytes="):]) for a in sys.argv if a.startswith("bytes=")]
content["certificates"].update(sha256=sha(plain), bytes=(told or [len(plain)])[0])
manifest["identity"] = sha(json.dumps(content, sort_keys=True, separators=(",", ":")).encode())
for a in manifest["artefacts"]:
    data = read(a["path"])
    if note and a["role"] in ("object", "shared object", "archive"):
        data = re.sub(rb"blur [0-9a-f]{64}\0", b"blur " + manifest["identity"].encode() + b"\0", data)
        open(folder + "/" + a["path"], "wb").write(data)
    a.update(bytes=len(data), sha256=sha(data))
text = json.dumps(manifest, indent=2, sort_keys=True) + "\n"
open(path, "w").write(text)
rows = [(a["sha256"], a["path"]) for a in manifest["artefacts"]] + [(sha(text.encode()), "blur.manifest.json")]
open(folder + "/SHA256SUMS", "w").write("".join(f"{h}  {n}\n" for h, n in sorted(rows, key=lambda row: row[1])))
