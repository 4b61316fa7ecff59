#!/usr/bin/env python3
"""forge_shipment.py DIR [note] [keep] [elsewhere] [bytes=N]: makes lengths, hashes, identity, head of the header, bill of materials and sums of a shipped folder called
"blur" fit what lies in it, as somebody would who wants to deceive. "note": the notes of the objects, too; "keep": what the identity is of stays as it was;
"elsewhere": another linker made it, so that nobody here can link its object again; "bytes": how many the manifest says that the certificates have.
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
if "elsewhere" in sys.argv:
    manifest["made_by"]["linker"] = "cc of another machine"
for key, name in (("algorithm", "blur.alg"), ("schedule", "blur.sched"), ("target_program", "blur.tgt")) if not keep else ():
    content[key] = sha(read(name))
plain = gzip.decompress(read("blur.cert.gz"))
told = [int(a[len("bytes="):]) for a in sys.argv if a.startswith("bytes=")]
content["certificates"].update(sha256=sha(plain), bytes=(told or [len(plain)])[0])
manifest["identity"] = sha(json.dumps(content, sort_keys=True, separators=(",", ":")).encode())
identity, made_by = manifest["identity"], manifest["made_by"]


def bill():
    """What docs/gate.md says of NAME.cdx.json, from the manifest alone."""
    hashes = lambda digest: [{"alg": "SHA-256", "content": digest}]

    def tool(kind, name, version, digest=None):
        row = {"type": kind, "name": name, "version": version or "unknown"}
        return row if digest is None else row | {"hashes": hashes(digest)}

    versions = content["versions"]
    tools = [tool("application", "halyard", versions["halyard"], made_by["halyard_sha256"]), tool("library", "llvm", versions["llvm"])]
    tools += [tool("application", "cc", made_by["linker"])] if "linker" in made_by else []
    tools += [tool("library", "z3", made_by["z3"])] if "z3" in made_by else []
    tools += [tool("library", p["name"], None, p["sha256"]) for p in made_by.get("plugins", [])]
    files = [
        {"type": "file", "name": a["path"], "description": a["role"], "hashes": hashes(a["sha256"])}
        for a in manifest["artefacts"] if a["role"] != "bill of materials"
    ]
    if "runtime_sha256" in made_by:
        files.append(tool("library", "halyard_runtime", versions["halyard"], made_by["runtime_sha256"]) | {"bom-ref": "runtime"})
    own = tool("library", content["name"], identity) | {"bom-ref": "pipeline"}
    uuid = f"{identity[:8]}-{identity[8:12]}-5{identity[13:16]}-a{identity[17:20]}-{identity[20:32]}"
    return {
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1, "serialNumber": "urn:uuid:" + uuid,
        "metadata": {"tools": {"components": tools}, "component": own}, "components": files,
        "dependencies": [{"ref": "pipeline", "dependsOn": ["runtime"] if "runtime_sha256" in made_by else []}],
    }


for a in sorted(manifest["artefacts"], key=lambda a: a["role"] == "bill of materials"):
    data = read(a["path"])
    if note and a["role"] in ("object", "shared object", "archive"):
        data = re.sub(rb"blur [0-9a-f]{64}\0", b"blur " + identity.encode() + b"\0", data)
    if a["role"] == "header":
        said = "%d obligations. Identity %s" % (content["certificates"]["obligations"], identity)
        data = re.sub(rb"\d+ obligations\. Identity [0-9a-f]{64}", said.encode(), data)
    if a["role"] == "bill of materials":
        if b'"forged"' not in data:
            text = json.dumps(bill(), indent=2, sort_keys=True) + "\n"
            data = re.sub(r"\\u[0-9a-f]{4}", lambda code: "\\u" + code[0][2:].upper(), text).encode()
    open(folder + "/" + a["path"], "wb").write(data)
    a.update(bytes=len(data), sha256=sha(data))
text = json.dumps(manifest, indent=2, sort_keys=True) + "\n"
open(path, "w").write(text)
rows = [(a["sha256"], a["path"]) for a in manifest["artefacts"]] + [(sha(text.encode()), "blur.manifest.json")]
open(folder + "/SHA256SUMS", "w").write("".join(f"{h}  {n}\n" for h, n in sorted(rows, key=lambda row: row[1])))
