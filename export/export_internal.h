#ifndef HY_EXPORT_INTERNAL_H
#define HY_EXPORT_INTERNAL_H

#include "export/dialect.h"
#include "export/export.h"
#include "semantics/base/vec.h"

// How an int is written: of 64 bits, or of 32 where it becomes a coordinate.
typedef enum { HY_WHOLE, HY_COORDINATE } hy_width;

// A loop of a stage. Halide finds one that a directive made by its name, and one of a reduction by its domain's part.
typedef struct hy_export_loop {
  const char *name;
  bool is_reduction;
  int part; // of its domain; -1: none, or a directive made it
} hy_export_loop;

// The loops of a stage's copy, from the outermost: a swap names only one of the two.
typedef struct hy_export_nest {
  const hy_func *func, *domain; // domain: whose reduction domain its is, of which update
  int spec, stage, update;
  HY_VEC(hy_export_loop) loops;
} hy_export_nest;

typedef struct hy_export_writer {
  const hy_alg *alg;
  const hy_export_dialect *dialect;
  bool is_idiomatic; // HY_EXPORT_IDIOMATIC
  hy_text *out;
  hy_diagnostics *diagnostics;
  hy_loc loc; // of what is being written
  HY_VEC(hy_export_nest) nests;
  bool refused;
} hy_export_writer;

// Reports once that Halide has no such meaning.
void hy_export_refuse(hy_export_writer *e, const char *what, const char *why);
// A name that the dialect leaves to us; "text" is that of a func, an image or a parameter.
void hy_export_name(const hy_export_writer *e, const char *text, hy_text *out);
// A loop variable: hl.Var("x"), hl.RVar("x")
void hy_export_var(const hy_export_writer *e, const char *kind, const char *name, hy_text *out);
// The reduction domain of an update stage
void hy_export_domain(const hy_func *func, int stage, hy_text *out);

/* expr.c */
void hy_export_refuse_storage(hy_export_writer *e, hy_type type); // f16 and bf16; anything else passes
void hy_export_expr(hy_export_writer *e, const hy_expr *expr, hy_width width, hy_text *out);
void hy_export_type(const hy_export_writer *e, hy_type type, hy_text *out); // "hl.Int(64)"

/* schedule.c */
void hy_export_schedule(hy_export_writer *e, const hy_directive *core, int count);

#endif
