#ifndef HY_SHIP_H
#define HY_SHIP_H

/* From a checked pipeline to the files of a folder that ships: canonical texts, proofs, code for each target, header, a
 * bill of materials, the manifest. The same pipeline, program and run-time library give the same bytes.
 */

#include "gate/manifest/manifest.h"
#include "halyard/pipeline.h"

// What decided which program ships, beside Halyard: no part of the identity, which the code alone decides.
typedef struct hy_ship_judges {
  const char *z3;                   // its version
  unsigned z3_limit;                // for each question, in thousands of its steps
  const hy_shipped_plugin *plugins; // that were loaded
  size_t plugin_count;
} hy_ship_judges;

typedef struct hy_ship_wishes {
  const char *name; // of the function: hy_interface_name_is_free says yes
  const hy_target *const *targets;
  size_t target_count;
  bool has_algorithm;    // false: a target program by hand, which has no schedule either
  bool is_unproved_fine; // what stays open is said in header and manifest
  hy_ship_judges judges;
} hy_ship_wishes;

typedef struct hy_ship_file {
  const char *name;
  hy_text bytes;
} hy_ship_file;

typedef struct hy_shipment {
  hy_manifest manifest;
  const char *manifest_name;
  HY_VEC(hy_ship_file) files; // all, the manifest and the sums among them
} hy_shipment;

typedef enum {
  HY_SHIP_FINE,
  HY_SHIP_DEFECT, // the program that was printed is not the one that was checked: ours
  HY_SHIP_TOOL,   // an archiver, linker, or the run-time library is not there
} hy_ship_answer;

// requires: the pipeline was checked, with the answer YES (or UNKNOWN, where that is fine)
//   schedule: its name
// ensures: what ships is judged as it will be read: proofs and code are of the program that was printed and read again.
// "*why" says what is wrong; everything else lies in the context's arena. Free the shipment either way.
hy_ship_answer hy_ship_make(const hy_pipeline *pipeline, const char *schedule, const hy_ship_wishes *wishes,
                            hy_shipment *out, const char **why);
void hy_shipment_free(hy_shipment *shipment);

// Is what shipped for the very processor that the target is here?
bool hy_ship_is_target(const hy_shipped_target *was, const hy_target *target);
// Is a target's code linked with this machine's run-time library? Else the object alone ships.
bool hy_ship_links(const hy_target *target);

// Of files of directives from outside the tree. NULL: one cannot be read.
const hy_shipped_plugin *hy_ship_plugins(hy_arena *arena, const char *const *paths, size_t count);

// folder.c. All files, or none: they are written into a folder beside, which then takes the place of "path". What
// stands there already has to be an earlier shipment or empty. False with *why.
bool hy_ship_write(const char *path, const hy_shipment *shipment, hy_arena *arena, const char **why);
// Takes away the files of a folder, and the folder if nothing else was in it.
void hy_ship_remove(const char *path);
// How the last part of a name begins that hy_ship_write, killed, may have left.
#define HY_SHIP_UNFINISHED ".halyard-ship-"
bool hy_ship_is_unfinished(const char *name);

#endif
