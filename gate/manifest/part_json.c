// Parts of a gate written and, from whoever, read.

#include "gate/manifest/json.h"
#include "gate/manifest/part.h"
#include "semantics/value/errors.h"

#include <string.h>

/* -- writing -- */

static json_t *question_of(const hy_gate_question *q) {
  json_t *object = json_pack("{s:b, s:b, s:b}", "rebuild", q->rebuild, "sources", q->sources, "baseline", q->baseline);
  hy_json_put(object, "halyard", q->halyard);
  hy_json_put_number(object, "level", q->level);
  hy_json_put_number(object, "inputs", q->inputs);
  hy_json_put(object, "seed", q->seed);
  hy_json_put(object, "second_checker", q->second_checker);
  hy_json_put(object, "max_slowdown", q->max_slowdown);
  return object;
}

static json_t *counts_of(const hy_gate_counts *n) {
  json_t *object = json_object();
  hy_json_put_number(object, "inputs", n->inputs);
  hy_json_put_number(object, "useless", n->useless);
  hy_json_put_number(object, "runs", n->runs);
  hy_json_put_number(object, "points", n->points);
  hy_json_put_number(object, "refusals", n->refusals);
  hy_json_put_number(object, "threads", n->threads);
  hy_json_put_number(object, "emulated", n->emulated);
  return object;
}

static json_t *steps_of(const hy_gate_check *c) {
  json_t *list = json_array();
  for (int i = 0; i < HY_GATE_STEPS && c->steps[i].text; i++)
    json_array_append_new(list, json_pack("{s:o, s:o}", "file", hy_json_string(c->steps[i].file), "text",
                                          hy_json_string(c->steps[i].text)));
  return list;
}

static json_t *check_of(const hy_gate_check *c) {
  json_t *row = json_object();
  hy_json_put_number(row, "level", (uint64_t)c->level);
  hy_json_put(row, "name", c->name);
  hy_json_put(row, "file", c->file);
  hy_json_put(row, "target", c->target);
  hy_json_put(row, "verdict", hy_gate_verdict_name(c->verdict));
  if (c->code) hy_json_put_number(row, "code", c->code);
  hy_json_put(row, "story", c->story);
  hy_json_put(row, "help", c->help);
  if (c->ratio.median > 0)
    json_object_set_new(
        row, "ratio",
        json_pack("{s:f, s:f, s:f}", "low", c->ratio.low, "median", c->ratio.median, "high", c->ratio.high));
  if (c->steps[0].text) json_object_set_new(row, "steps", steps_of(c));
  if (c->counts.inputs || c->counts.useless) json_object_set_new(row, "counts", counts_of(&c->counts));
  return row;
}

void hy_gate_part_print(const hy_gate_part *p, hy_text *out) {
  json_t *root = json_object(), *seconds = json_array(), *checks = json_array();
  hy_json_put_number(root, "halyard-gate-part", HY_GATE_PART_VERSION);
  json_object_set_new(
      root, "shard", json_pack("{s:I, s:I}", "index", (json_int_t)p->shard.index, "count", (json_int_t)p->shard.count));
  hy_json_put(root, "identity", p->identity);
  hy_json_put(root, "sums", p->sums);
  json_object_set_new(root, "question", question_of(&p->question));
  for (int level = 0; level < HY_GATE_LEVELS; level++)
    json_array_append_new(seconds, json_real(p->result.seconds[level]));
  json_object_set_new(root, "seconds", seconds);
  for (size_t i = 0; i < p->result.checks.count; i++)
    json_array_append_new(checks, check_of(&p->result.checks.data[i]));
  json_object_set_new(root, "checks", checks);
  hy_json_print(root, out);
}

/* -- reading: nothing is believed -- */

static bool take_yes(hy_json_reader *r, const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  if (!json_is_boolean(value)) hy_json_complain(r, "has no \"%s\" that is true or false", key);
  return json_is_true(value);
}

static void read_question(hy_json_reader *r, const json_t *object, hy_gate_question *q) {
  q->halyard = hy_json_take(r, object, "halyard", true);
  q->level = hy_json_take_number(r, object, "level");
  q->inputs = hy_json_take_number(r, object, "inputs");
  q->seed = hy_json_take(r, object, "seed", true);
  q->second_checker = hy_json_take(r, object, "second_checker", false);
  q->max_slowdown = hy_json_take(r, object, "max_slowdown", true);
  q->rebuild = take_yes(r, object, "rebuild");
  q->sources = take_yes(r, object, "sources");
  q->baseline = take_yes(r, object, "baseline");
  if (q->level >= HY_GATE_LEVELS - 1) hy_json_complain(r, "has a \"%s\" that is none", "level");
}

static hy_gate_verdict take_verdict(hy_json_reader *r, const json_t *row) {
  const char *name = hy_json_take(r, row, "verdict", true);
  for (int i = 0; name && i < HY_GATE_VERDICTS; i++)
    if (strcmp(hy_gate_verdict_name((hy_gate_verdict)i), name) == 0) return (hy_gate_verdict)i;
  hy_json_complain(r, "has a \"%s\" that is none", "verdict");
  return HY_GATE_DEFECT;
}

static void read_counts(hy_json_reader *r, const json_t *row, hy_gate_counts *n) {
  if (!json_object_get(row, "counts")) return;
  const json_t *object = hy_json_take_object(r, row, "counts");
  n->inputs = hy_json_take_number(r, object, "inputs");
  n->useless = hy_json_take_number(r, object, "useless");
  n->runs = hy_json_take_number(r, object, "runs");
  n->points = hy_json_take_number(r, object, "points");
  n->refusals = hy_json_take_number(r, object, "refusals");
  n->threads = hy_json_take_number(r, object, "threads");
  n->emulated = hy_json_take_number(r, object, "emulated");
}

static void read_steps(hy_json_reader *r, const json_t *row, hy_gate_check *c) {
  if (!json_object_get(row, "steps")) return;
  const json_t *list = hy_json_take_list(r, row, "steps");
  if (json_array_size(list) > HY_GATE_STEPS) hy_json_complain(r, "has too many \"%s\"", "steps");
  for (size_t i = 0; i < json_array_size(list) && !r->why; i++) {
    const json_t *step = json_array_get(list, i);
    c->steps[i] = (hy_gate_step){hy_json_take(r, step, "file", true), hy_json_take(r, step, "text", true)};
  }
}

static void read_check(hy_json_reader *r, const json_t *row, hy_gate_result *result) {
  if (!json_is_object(row)) hy_json_complain(r, "has a row of \"%s\" that is no object", "checks");
  uint64_t level = hy_json_take_number(r, row, "level"), code = 0;
  if (json_object_get(row, "code")) code = hy_json_take_number(r, row, "code");
  hy_gate_check c = {.level = (int)level, .code = (unsigned)code};
  c.name = hy_json_take(r, row, "name", true);
  c.file = hy_json_take(r, row, "file", false);
  c.target = hy_json_take(r, row, "target", false);
  c.verdict = take_verdict(r, row);
  c.story = hy_json_take(r, row, "story", true);
  c.help = hy_json_take(r, row, "help", false);
  if (json_object_get(row, "ratio")) {
    const json_t *ratio = hy_json_take_object(r, row, "ratio");
    c.ratio = (hy_gate_ratio){hy_json_take_real(r, ratio, "low"), hy_json_take_real(r, ratio, "median"),
                              hy_json_take_real(r, ratio, "high")};
  }
  read_counts(r, row, &c.counts);
  read_steps(r, row, &c);
  if (level >= HY_GATE_LEVELS) hy_json_complain(r, "has a \"%s\" that is none", "level");
  if ((code != 0) != (c.verdict != HY_GATE_PASSED) || (code && !hy_code_is_known(code)))
    hy_json_complain(r, "has a \"%s\" that does not belong to its verdict", "code");
  if (!r->why) hy_vec_push(&result->checks, c);
}

static void read_root(hy_json_reader *r, const json_t *root, hy_gate_part *p) {
  hy_json_take_version(r, root, "halyard-gate-part", "part of a gate", HY_GATE_PART_VERSION);
  if (r->why) return;
  const json_t *shard = hy_json_take_object(r, root, "shard");
  p->shard = (hy_gate_shard){hy_json_take_number(r, shard, "index"), hy_json_take_number(r, shard, "count")};
  if (p->shard.count > HY_GATE_MOST_SHARDS || p->shard.index >= p->shard.count)
    hy_json_complain(r, "has a \"%s\" that is none", "shard");
  p->identity = hy_json_take_hash(r, root, "identity", true);
  p->sums = hy_json_take_hash(r, root, "sums", true);
  read_question(r, hy_json_take_object(r, root, "question"), &p->question);
  const json_t *seconds = hy_json_take_list(r, root, "seconds"), *checks = hy_json_take_list(r, root, "checks");
  for (size_t i = 0; i < HY_GATE_LEVELS; i++) {
    double time = json_number_value(json_array_get(seconds, i));
    p->result.seconds[i] = time >= 0 && time < 1e9 ? time : 0;
  }
  for (size_t i = 0; i < json_array_size(checks) && !r->why; i++) read_check(r, json_array_get(checks, i), &p->result);
}

bool hy_gate_part_read(hy_arena *arena, const char *text, size_t length, hy_gate_part *p, const char **why) {
  hy_json_reader r = {.arena = arena};
  *p = (hy_gate_part){.result = {.arena = arena}};
  json_t *root = hy_json_parse(&r, text, length);
  if (root) read_root(&r, root, p);
  json_decref(root);
  *why = r.why;
  return !r.why;
}
