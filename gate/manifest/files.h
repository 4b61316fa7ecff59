#ifndef HY_GATE_FILES_H
#define HY_GATE_FILES_H

/* Files of a shipped folder, which anybody may have made: only regular ones, no links, no more than so many bytes. */

#include "semantics/base/text.h"

// The whole file "name" of the folder. False with *why (a sentence's end).
#define HY_GATE_TOO_LARGE "it is too large"
bool hy_gate_read(const char *folder, const char *name, size_t most, hy_text *out, const char **why);

// The name of the one manifest in the folder, in "name". False with *why.
bool hy_gate_find_manifest(const char *folder, char name[256], const char **why);
#define HY_MANIFEST_SUFFIX ".manifest.json"

// zlib's gzip format, the same bytes each time. Expanding more than "most" bytes, or what is no such file: false.
void hy_gate_compress(const hy_text *plain, hy_text *out);
enum { HY_GATE_MOST_CERTIFICATES = 1 << 26 }; // bytes, unpacked: sixteen times what the largest of apps/ has
bool hy_gate_expand(const hy_text *packed, size_t most, hy_text *out);

#endif
