#ifndef HY_INSPECT_H
#define HY_INSPECT_H

/* Levels 0 and 1: what a consumer can ask of a shipped folder without compiler and solver. Nothing here sees what makes
 * or runs code.
 */

#include "gate/manifest/result.h"
#include "semantics/expr/context.h"

typedef struct hy_inspected {
  const char *folder, *manifest_name;
  hy_manifest manifest;
  bool is_read;               // the manifest is
  HY_VEC(hy_text) files;      // by artefact
  HY_VEC(bool) is_as_shipped; // has it the bytes that the manifest names?
  hy_text sums;
} hy_inspected;

// Level 0. "path": the folder, or a manifest in one. Every file that the manifest lists is read; checks go to the
// result, and what was read stays in "out". Free it.
void hy_inspect_identity(const char *path, hy_inspected *out, hy_gate_result *result);
void hy_inspected_free(hy_inspected *inspected);

// The bytes of the first file of that role (and target, unless NULL), if they are those that shipped; else NULL.
const hy_text *hy_inspected_bytes(const hy_inspected *inspected, hy_role role, const char *target);

// Level 1: the obligations of the target program, extracted anew, are what the certificates are about, and
// halyard-certcheck accepts all; so does the second checker, if one is named (oracle/certificate/recheck.h).
// requires: level 0 read the manifest
void hy_inspect_proof(hy_context *context, const hy_inspected *inspected, const char *second, hy_gate_result *result);

// Are the canonical texts of the sources, as they are by now, those that shipped?
void hy_inspect_sources(const hy_inspected *inspected, const hy_text *algorithm, const hy_text *schedule,
                        hy_gate_result *result);
// Of a target program by hand: what ships is "passed" (after the passes) or "whole" (before them), which are made of it
// by now.
void hy_inspect_program(const hy_inspected *inspected, const hy_text *passed, const hy_text *whole,
                        hy_gate_result *result);

#endif
