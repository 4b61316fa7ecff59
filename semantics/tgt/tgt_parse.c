/* Target programs: reads what print_tgt.c writes, in any layout.
 *
 *   program   = head {laid} [entry] {statement} "}"             head: tgt_scope.c; laid: tgt_parse_plan.c
 *   entry     = "entry" "{" {assume} "}"
 *   block     = "{" {statement} "}"
 *   statement = assume | constrain | allocate | assign | if | for | let | compute | label | "nop" ";"
 *
 * Here: blocks and the whole; statements are in tgt_parse_stmt.c, bounds and origins in tgt_parse_bounds.c, the loops
 * around a place in tgt_parse_loops.c. What was read is then checked by tgt_verify.c. A reader that returns NULL or
 * false met a syntax error; a mistake of meaning is reported and reading goes on with a stand-in, because nothing is
 * returned to the caller once anything was reported.
 */

#include "semantics/tgt/tgt_internal.h"

#include <string.h>

typedef hy_tgt_reader reader;

/* -- blocks -- */

// Skips the statement that could not be read: past its ";", or past the block that ends it.
static void recover(reader *r) {
  hy_parser *p = &r->parser;
  for (int depth = 0; !hy_parser_at_end(p); p->next++) {
    if (hy_parser_at(p, "{")) depth++;
    if (hy_parser_at(p, "}") && depth == 0) return;
    bool closes = hy_parser_at(p, "}") && --depth == 0 && strcmp(hy_parser_peek(p, 1)->text, "else") != 0;
    if (closes || (depth == 0 && hy_parser_at(p, ";"))) {
      p->next++;
      return;
    }
  }
}

// {statement} up to the "}", which is left.
static const hy_stmt *read_statements(reader *r) {
  HY_VEC(const hy_stmt *) items = {0};
  const hy_stmt_place *place = hy_tgt_take_place(r, hy_parser_loc(&r->parser));
  size_t assumptions = 0;
  while (!hy_parser_at(&r->parser, "}") && !hy_parser_at_end(&r->parser) && !hy_parser_gave_up(&r->parser)) {
    const hy_stmt *stmt = hy_tgt_read_statement(r);
    if (stmt)
      hy_vec_push(&items, stmt);
    else
      recover(r);
    if (!stmt || stmt->kind != HY_STMT_ASSUME) continue;
    if (!hy_parser_room(&r->parser, assumptions++, HY_MAX_ASSUMPTIONS, "assumptions in a block")) break;
  }
  const hy_stmt *result = hy_stmt_placed(r->context, hy_stmt_seq(r->context, items.data, (int)items.count), place);
  hy_vec_free(&items);
  return result;
}

const hy_stmt *hy_tgt_read_block(reader *r) {
  if (r->nesting == HY_MAX_STATEMENT_NESTING) {
    hy_report(r->diagnostics, HY_E_TGT_NESTING, hy_parser_loc(&r->parser), NULL,
              "a program that Halyard makes nests less", "statements nest more than %d levels here",
              HY_MAX_STATEMENT_NESTING);
    return NULL;
  }
  if (!hy_parser_expect(&r->parser, "{", "before the statements of a block")) return NULL;
  r->nesting++;
  const hy_stmt *stmt = read_statements(r);
  r->nesting--;
  return hy_parser_expect(&r->parser, "}", "after the statements of a block") ? stmt : NULL;
}

/* -- programs -- */

static const hy_stmt **read_entry(reader *r, int *count) {
  HY_VEC(const hy_stmt *) items = {0};
  hy_parser *p = &r->parser;
  *count = 0;
  if (!hy_parser_at(p, "entry") || strcmp(hy_parser_peek(p, 1)->text, "{") != 0) return NULL;
  p->next += 2;
  while (!hy_parser_at(p, "}") && !hy_parser_at_end(p) && !hy_parser_gave_up(p)) {
    const hy_stmt *stmt = NULL;
    if (hy_parser_at(p, "assume"))
      stmt = hy_tgt_read_assume(r);
    else
      hy_parser_unexpected(p, "'assume' or '}'", "the entry block holds the checks at startup only");
    if (stmt)
      hy_vec_push(&items, stmt);
    else
      recover(r);
  }
  hy_parser_expect(p, "}", "after the checks at startup");
  const hy_stmt **copy = HY_NEW_ARRAY(hy_context_arena(r->context), const hy_stmt *, items.count);
  if (items.count) memcpy(copy, items.data, sizeof *copy * items.count);
  *count = (int)items.count;
  hy_vec_free(&items);
  return copy;
}

// Holes speak of loops that are somewhere in the program, not only around them.
static void check_hole_loops(reader *r) {
  if (hy_parser_failed(&r->parser)) return; // a loop may be missing for another reason
  for (size_t i = 0; i < r->hole_loops.count; i++) {
    if (hy_tgt_find_loop(r, r->hole_loops.data[i].var)) continue;
    hy_tgt_report_loop(r, HY_E_TGT_HOLE, r->hole_loops.data[i].loc, "no loop of this program is called '%s'",
                       "a loop hole names a for, or the let that took its place", r->hole_loops.data[i].var);
  }
}

#define COPY(r, vec)                                                                                                   \
  memcpy(hy_arena_allocate(hy_context_arena((r)->context), sizeof *(vec).data *((vec).count + 1)),                     \
         (vec).count ? (const void *)(vec).data : "", sizeof *(vec).data *(vec).count)

static void finish_signature(reader *r) {
  r->alg->params = COPY(r, r->params);
  r->alg->param_count = (int)r->params.count;
  r->alg->images = COPY(r, r->images);
  r->alg->image_count = (int)r->images.count;
  r->alg->signature = COPY(r, r->signature);
}

static const hy_tgt *read_program(reader *r) {
  hy_tgt *tgt = HY_NEW(hy_context_arena(r->context), hy_tgt);
  if (!hy_tgt_read_head(r)) return NULL;
  finish_signature(r);
  tgt->laid = hy_tgt_read_laid(r, &tgt->laid_count);
  tgt->entry = read_entry(r, &tgt->entry_count);
  if (!hy_parser_failed(&r->parser))
    r->alg->about = hy_tgt_about_params(r->context, r->alg, tgt->entry, tgt->entry_count);
  r->alg->requirements = hy_tgt_requirements(r->context, tgt->entry, tgt->entry_count, &r->alg->requirement_count);
  const hy_stmt *body = read_statements(r);
  tgt->body = body ? hy_relate_halves(r->context, body) : NULL;
  if (!hy_parser_gave_up(&r->parser) && hy_parser_expect(&r->parser, "}", "after the last statement") &&
      !hy_parser_at_end(&r->parser))
    hy_parser_unexpected(&r->parser, "the end of the file", "a file holds one target program");
  check_hole_loops(r);
  if (hy_parser_failed(&r->parser)) {
    hy_tgt_count_refusals(r->context, r->diagnostics, r->first);
    return NULL;
  }
  tgt->alg = r->alg;
  tgt->funcs = COPY(r, r->funcs);
  tgt->func_count = (int)r->funcs.count;
  tgt->stage_counts = COPY(r, r->stage_counts);
  return hy_tgt_verify(r->context, tgt, r->diagnostics) ? tgt : NULL;
}

const hy_tgt *hy_parse_tgt(hy_context *context, const hy_source *source, hy_diagnostics *diagnostics) {
  reader r = {.context = context, .diagnostics = diagnostics, .alg = HY_NEW(hy_context_arena(context), hy_alg)};
  hy_parser_open(&r.parser, context, source, diagnostics);
  r.parser.holes = true;
  r.first = hy_diagnostics_count(diagnostics);
  r.loops = hy_intern_new(hy_tgt_same_loop);
  r.written = hy_arena_new();
  hy_tgt_open_names(&r);
  const hy_tgt *tgt = read_program(&r);
  if (hy_parser_failed(&r.parser)) tgt = NULL;
  hy_parser_close(&r.parser);
  hy_intern_free(r.loops);
  hy_arena_free(r.written);
  hy_vec_free(&r.params);
  hy_vec_free(&r.images);
  hy_vec_free(&r.signature);
  hy_vec_free(&r.funcs);
  hy_vec_free(&r.stage_counts);
  hy_vec_free(&r.scope);
  hy_vec_free(&r.labels);
  hy_vec_free(&r.hole_loops);
  hy_vec_free(&r.sites);
  return tgt;
}
