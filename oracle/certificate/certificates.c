#include "oracle/certificate/proof.h"

#include "semantics/base/sha256.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_BYTES = 32 << 20 };

hy_certificates *hy_certificates_new(hy_context *context) {
  hy_certificates *c = hy_allocate_zeroed(1, sizeof *c);
  c->context = context;
  c->prover = hy_prover_new(context);
  c->arena = hy_arena_new();
  hy_text_add(&c->text, "halyard-certificates 2\n");
  return c;
}

void hy_certificates_shorten(hy_certificates *c, bool is_short) {
  c->is_short = is_short;
  c->prover->work_limit = is_short ? HY_PROVER_WORK / 8 : HY_PROVER_WORK;
}

static void forget(hy_certificates *c) {
  hy_prover_free(c->prover);
  hy_arena_free(c->arena);
  hy_pair_map_free(&c->terms);
  hy_pair_map_free(&c->formulas);
  hy_pair_map_free(&c->searched);
  hy_pair_map_free(&c->kept);
  hy_vec_free(&c->unknowns);
  hy_vec_free(&c->normal_forms);
}

void hy_certificates_free(hy_certificates *c) {
  if (!c) return;
  forget(c);
  hy_text_free(&c->text);
  hy_text_free(&c->body);
  hy_vec_free(&c->known_formulas);
  hy_vec_free(&c->known);
  hy_vec_free(&c->assumptions);
  hy_vec_free(&c->case_sizes);
  hy_vec_free(&c->generations);
  hy_vec_free(&c->used);
  hy_pair_map_free(&c->given_up);
  hy_free(c);
}

// All lines are written again when they are needed.
static void begin_anew(hy_certificates *c) {
  forget(c);
  c->prover = hy_prover_new(c->context);
  c->arena = hy_arena_new();
  hy_certificates_shorten(c, c->is_short);
  if (c->patience) hy_prover_persist(c->prover, c->patience > 1);
}

void hy_certificates_persist(hy_certificates *c, int patience) {
  c->patience = patience;
  begin_anew(c);
}

// Bounded memory.
static void make_room(hy_certificates *c) {
  size_t bytes = hy_arena_bytes(c->prover->terms.arena) + hy_arena_bytes(c->prover->scratch);
  if (bytes < MAX_BYTES && c->prover->terms.atoms.count < HY_MAX_ATOM / 2) return;
  begin_anew(c);
}

static void begin(hy_certificates *c) {
  make_room(c);
  c->failed = false;
  c->height = c->depth = 0;
  c->used.count = 0;
  c->body.length = c->known_formulas.count = c->known.count = c->assumptions.count = 0;
  c->case_sizes.count = 0;
}

static void end(hy_certificates *c) {
  for (size_t i = 0; i < c->generations.count; i++) {
    hy_fact_set *set = c->generations.data[i];
    if (!set) continue;
    hy_pair_map_free(&set->eliminated);
    hy_pair_map_free(&set->images);
    hy_free(set);
  }
  c->generations.count = 0;
}

static void write_lines(hy_certificates *c, const hy_expr *const *facts, size_t count, const hy_expr *goal) {
  for (size_t i = 0; i < count && !c->failed; i++) hy_proof_formula(c, facts[i]);
  if (!c->failed) hy_proof_formula(c, goal);
}

/* -- what they are about -- */

static void print_hash(const hy_text *text, hy_text *out) {
  char digits[HY_SHA256_DIGITS + 1] = "-";
  if (text) hy_sha256(hy_text_string(text), text->length, digits);
  hy_text_printf(out, " %s", digits);
}

static void print_name(const char *name, hy_text *out) {
  for (const char *at = name; *at && at < name + 256; at++) hy_text_add_bytes(out, *at == ' ' ? "_" : at, 1);
}

void hy_certificates_begin(hy_certificates *c, const hy_certified_program *program) {
  c->obligations += program->obligations;
  hy_text_add(&c->text, "program ");
  print_name(program->name, &c->text);
  hy_text_printf(&c->text, " %zu", program->obligations);
  print_hash(program->target, &c->text);
  print_hash(program->algorithm, &c->text);
  print_hash(program->schedule, &c->text);
  hy_text_printf(&c->text, " halyard %s\n", HALYARD_VERSION);
}

void hy_certificates_id(const char *name, size_t number, size_t part, char id[HY_CERTIFICATE_ID]) {
  hy_text text = {0};
  print_name(name, &text);
  if (part)
    snprintf(id, HY_CERTIFICATE_ID, "%s/%zu.%zu", hy_text_string(&text), number, part);
  else
    snprintf(id, HY_CERTIFICATE_ID, "%s/%zu", hy_text_string(&text), number);
  hy_text_free(&text);
}

static void write_head(hy_certificates *c, const char *kind, const char *id, const char *rule, const char *about) {
  hy_text_printf(&c->text, "%s %s %s ", kind, id, rule);
  for (const char *at = about; *at; at++) hy_text_add_bytes(&c->text, *at == '\n' ? " " : at, 1);
}

void hy_certificates_leave_open(hy_certificates *c, const char *id, const char *rule, const char *about) {
  size_t length = strcspn(strrchr(id, '/'), ".") + (size_t)(strrchr(id, '/') - id); // without the part
  bool again = strncmp(c->last_open, id, length) == 0 && !c->last_open[length];
  c->open += !again;
  snprintf(c->last_open, sizeof c->last_open, "%.*s", (int)length, id);
  write_head(c, "open", id, rule, about);
  hy_text_add(&c->text, "\n");
}

// A proof that does not take the denied goal shows that the facts contradict each other.
static bool takes_goal(const hy_text *body) {
  const char *steps = hy_text_string(body);
  return strncmp(steps, "g\n", 2) == 0 || strstr(steps, "\ng\n");
}

static void write_certificate(hy_certificates *c, const char *id, const char *rule, const char *about,
                              const hy_expr *const *facts, size_t count, const hy_expr *goal) {
  write_head(c, "certificate", id, rule, about);
  hy_text_add(&c->text, "\nfacts");
  for (size_t i = 0; i < count; i++) hy_text_printf(&c->text, " %d", hy_proof_formula(c, facts[i]));
  hy_text_printf(&c->text, "\ngoal %d\n", hy_proof_formula(c, goal));
  bool is_dead = !takes_goal(&c->body);
  if (is_dead) hy_text_add(&c->text, "dead\n");
  c->dead += is_dead;
  hy_text_add_bytes(&c->text, hy_text_string(&c->body), c->body.length);
  hy_text_add(&c->text, "qed\n");
  c->count++;
  hy_context_hit(c->context, HY_RULE_VER_CERTIFICATE); // VER.Certificate
}

/* -- the same goal under other facts -- */

static void keep(hy_certificates *c, const hy_expr *goal) {
  hy_kept_proof *kept = HY_NEW(c->arena, hy_kept_proof);
  size_t length = c->body.length, after = strlen("qed\n");
  *kept = (hy_kept_proof){NULL, HY_NEW_ARRAY(c->arena, const hy_expr *, c->used.count), c->used.count,
                          c->text.length - after - length, length};
  if (c->used.count) memcpy(kept->facts, c->used.data, c->used.count * sizeof *kept->facts);
  hy_kept_proof *first = (hy_kept_proof *)hy_pair_map_get(&c->kept, goal, NULL);
  if (!first) {
    hy_pair_map_put(&c->kept, goal, NULL, kept);
    return;
  }
  kept->next = first->next;
  first->next = kept;
}

static bool are_among(const hy_kept_proof *kept, const hy_expr *const *facts, size_t count) {
  for (size_t i = 0, k = 0; i < kept->fact_count; i++) {
    for (k = 0; k < count && facts[k] != kept->facts[i];) k++;
    if (k == count) return false;
  }
  return true;
}

// What shows the goal from some facts shows it from more.
static bool add_again(hy_certificates *c, const char *id, const char *rule, const char *about,
                      const hy_expr *const *facts, size_t count, const hy_expr *goal) {
  const hy_kept_proof *kept = hy_pair_map_get(&c->kept, goal, NULL);
  while (kept && !are_among(kept, facts, count)) kept = kept->next;
  if (!kept) return false;
  write_lines(c, facts, count, goal);
  if (c->failed) return false;
  hy_text_add_bytes(&c->body, c->text.data + kept->start, kept->length);
  write_certificate(c, id, rule, about, facts, count, goal);
  return true;
}

bool hy_certificates_add(hy_certificates *c, const char *id, const char *rule, const char *about,
                         const hy_expr *const *facts, size_t fact_count, const hy_expr *goal) {
  begin(c);
  if (add_again(c, id, rule, about, facts, fact_count, goal)) return true;
  begin(c);
  const hy_proof *proof = hy_prover_refutation(c->prover, facts, fact_count, goal);
  c->set = c->prover->set;
  c->generation = (int)c->set->eliminations.count;
  if (!proof) return false;
  write_lines(c, facts, fact_count, goal);
  for (size_t i = 0; i < fact_count; i++)
    hy_proof_learn(c, (hy_known_formula){facts[i], true, HY_KNOWN_FACT, -1, 0, -1});
  hy_proof_learn(c, (hy_known_formula){goal, false, HY_KNOWN_GOAL, -1, 0, -1});
  hy_proof_refutation(c, proof);
  if (!c->failed) {
    hy_proof_prune(c);
    write_certificate(c, id, rule, about, facts, fact_count, goal);
    keep(c, goal);
  }
  end(c);
  return !c->failed;
}

void hy_certificates_state(hy_certificates *c, const char *id, const char *rule, const char *about,
                           const hy_expr *const *facts, size_t count, const hy_expr *goal) {
  begin(c);
  write_lines(c, facts, count, goal);
  if (c->failed)
    hy_certificates_leave_open(c, id, rule, about);
  else
    write_certificate(c, id, rule, about, facts, count, goal);
}

bool hy_certificates_gave_up(const hy_certificates *c, const hy_expr *goal) {
  return hy_pair_map_get(&c->given_up, goal, NULL) != NULL;
}

void hy_certificates_give_up(hy_certificates *c, const hy_expr *goal) {
  if (!hy_certificates_gave_up(c, goal)) hy_pair_map_put(&c->given_up, goal, NULL, goal);
}

hy_context *hy_certificates_context(hy_certificates *c) { return c->context; }
size_t hy_certificates_count(const hy_certificates *c) { return c->count; }

hy_certificates_sum hy_certificates_sum_up(const hy_certificates *c) {
  return (hy_certificates_sum){c->count, c->dead, c->obligations - c->open, c->obligations};
}

const char *hy_certificates_text(hy_certificates *c, size_t *length) {
  size_t before = c->text.length;
  hy_text_printf(&c->text, "end %zu\n", c->count);
  *length = c->text.length;
  c->text.length = before; // what was added stays readable until the next change
  return hy_text_string(&c->text);
}
