#ifndef HY_MANIFEST_H
#define HY_MANIFEST_H

/* What a shipped folder says of itself: NAME.manifest.json.
 *
 *   {"halyard-manifest": 1, "identity": HEX, "content": {...}, "made_by": {...}, "artefacts": [{...}, ...]}
 *
 * "content" is all that decides the code: hashes of algorithm, schedule, target program and proofs, targets, versions.
 * "identity" is the hash of its canonical text (keys sorted, no blanks); every object has it in a section of its own.
 * The list of files with their hashes stands beside it, not in it: so an object can name what it was made of, and the
 * manifest can name the object's bytes, without a circle. docs/manifest.schema.json is the schema.
 */

#include "semantics/base/arena.h"
#include "semantics/base/sha256.h"
#include "semantics/base/text.h"
#include "semantics/base/vec.h"

enum { HY_MANIFEST_VERSION = 1 };

// What a file of the folder is: HY_ROLE_NAMES has the words that the manifest uses.
typedef enum {
  HY_ROLE_ALGORITHM,
  HY_ROLE_SCHEDULE,
  HY_ROLE_PROGRAM,
  HY_ROLE_CERTIFICATES,
  HY_ROLE_HEADER,
  HY_ROLE_OBJECT,
  HY_ROLE_ARCHIVE,
  HY_ROLE_SHARED,
  HY_ROLE_SBOM,
  HY_ROLE_COUNT,
} hy_role;
const char *hy_role_name(hy_role role);

typedef struct hy_artefact {
  const char *path; // a name without folders
  hy_role role;
  const char *target; // of an object, archive or shared object; else NULL
  size_t bytes;
  char sha256[HY_SHA256_DIGITS + 1];
} hy_artefact;

// A row of codegen/target.def as it was, or this machine as it was found.
typedef struct hy_shipped_target {
  const char *name, *triple, *cpu, *features;
} hy_shipped_target;

// A directive from outside the tree: its file's name, without folders, and the hash of its bytes.
typedef struct hy_shipped_plugin {
  const char *name, *sha256;
} hy_shipped_plugin;

typedef struct hy_manifest {
  // the content
  const char *name;      // of the function
  const char *pipeline;  // of the algorithm
  const char *schedule;  // its name: the first part of the certificates' ids
  const char *algorithm; // hashes of the canonical texts; NULL: a target program by hand has neither
  const char *directives;
  const char *program;
  const char *certificates; // of the file before it is compressed
  size_t certificate_bytes;
  size_t obligations, certificate_count, dead;
  size_t run_time_checks;
  bool proved; // false: --unproved
  HY_VEC(hy_shipped_target) targets;
  const char *halyard, *llvm; // versions
  // what is made of it
  char identity[HY_SHA256_DIGITS + 1];
  const char *build, *runtime, *linker; // hashes of the program and the run-time library; what the linker calls itself
  const char *z3;                       // its version; NULL: not said, by an older Halyard
  size_t z3_steps;                      // how far it went with each question, in thousands
  HY_VEC(hy_shipped_plugin) plugins;
  HY_VEC(hy_artefact) artefacts;
} hy_manifest;

void hy_manifest_free(hy_manifest *manifest); // the lists; texts are their owner's

// Sets the identity. requires: the content is complete
void hy_manifest_identify(hy_manifest *manifest);
// Canonical: two spaces, keys sorted, a final newline.
void hy_manifest_print(const hy_manifest *manifest, hy_text *out);

// Whatever the bytes are: false with *why, a sentence's end that names the key. Keys that are not known are ignored,
// but count for the identity.
bool hy_manifest_read(hy_arena *arena, const char *text, size_t length, hy_manifest *manifest, const char **why);

// What 'ship' calls such a file: NAME.o of one target, NAME-TARGET.o of several. The manifest's own is NAME with the
// suffix of files.h.
const char *hy_manifest_file_name(hy_arena *arena, const hy_manifest *manifest, hy_role role, const char *target);
// The same without its suffix.
const char *hy_manifest_stem(hy_arena *arena, const hy_manifest *manifest, const char *target);

// The first file of that role (and target, unless NULL); NULL: there is none.
const hy_artefact *hy_manifest_find(const hy_manifest *manifest, hy_role role, const char *target);

// May a manifest name such a file? Letters, digits and . _ + -, not at its beginning a dot: nothing leads out of the
// folder.
bool hy_artefact_name_is_plain(const char *name);

// "HEX  NAME" lines, as sha256sum prints and checks them, for all artefacts and the manifest itself.
#define HY_SUMS_NAME "SHA256SUMS"
void hy_manifest_print_sums(const hy_manifest *manifest, const char *name, const char *sha256, hy_text *out);

#endif
