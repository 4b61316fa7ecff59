#include "cli/verbs/gate_parts.h"

#include "gate/shards/merge.h"
#include "semantics/base/whole_file.h"
#include "semantics/value/errors.h"
#include "semantics/value/value_parse.h"

#include <errno.h>
#include <string.h>

static const hy_loc nowhere = {0};

static hy_status refuse(hy_session *s, const char *help, const char *why) {
  hy_report(s->diagnostics, HY_E_GATE_PART, nowhere, NULL, help, "%s", why);
  return HY_STATUS_USAGE;
}

bool hy_gate_take_shard(hy_session *s, hy_gate_shard *shard) {
  const char *at = s->options.shard;
  *shard = (hy_gate_shard){0, 1};
  if (!at) return true;
  bool good = hy_take_uint(&at, &shard->index) && *at == '/' && at++ && hy_take_uint(&at, &shard->count) && !*at;
  if (good && shard->index < shard->count && shard->count <= HY_GATE_MOST_SHARDS) return true;
  hy_report(s->diagnostics, HY_E_USAGE, nowhere, NULL, "the shards of four are 0/4 to 3/4",
            "--shard takes I/N with I below N, and N at most %d, not '%s'", HY_GATE_MOST_SHARDS, s->options.shard);
  return false;
}

/* -- writing one -- */

static const char *hash_sums(hy_session *s, const hy_inspected *in) {
  char digits[HY_SHA256_DIGITS + 1];
  hy_sha256(hy_text_string(&in->sums), in->sums.length, digits);
  return hy_arena_copy(hy_context_arena(s->context), digits, HY_SHA256_DIGITS);
}

static hy_gate_question question_of(hy_session *s, bool has_sources) {
  const hy_options *o = &s->options;
  hy_arena *arena = hy_context_arena(s->context);
  return (hy_gate_question){.halyard = HALYARD_VERSION,
                            .level = (size_t)o->level,
                            .inputs = (size_t)o->inputs,
                            .seed = hy_arena_printf(arena, "%llu", (unsigned long long)o->seed),
                            .second_checker = o->second_checker,
                            .rebuild = o->rebuild,
                            .sources = has_sources,
                            .baseline = o->baseline,
                            .max_slowdown = hy_arena_printf(arena, "%.17g", o->max_slowdown)};
}

hy_status hy_gate_write_part(hy_session *s, const hy_inspected *in, hy_gate_shard shard, bool has_sources,
                             const hy_gate_result *result) {
  const char *path = s->options.part;
  hy_text text = {0};
  if (!path) return HY_STATUS_FINE;
  if (!in->is_read) return refuse(s, NULL, "no part is written: there is no manifest that it could be about");
  hy_gate_part part = {shard, in->manifest.identity, hash_sums(s, in), question_of(s, has_sources), *result};
  hy_gate_part_print(&part, &text);
  bool good = hy_whole_file_write(path, text.data, text.length);
  if (!good)
    hy_report(s->diagnostics, HY_E_CANNOT_WRITE, nowhere, NULL, NULL, "cannot write '%s': %s", path, strerror(errno));
  hy_text_free(&text);
  return good ? HY_STATUS_FINE : HY_STATUS_USAGE;
}

/* -- joining them -- */

static hy_status read_part(hy_session *s, const char *path, hy_gate_part *part) {
  const hy_source *source;
  const char *why;
  *part = (hy_gate_part){.identity = NULL};
  hy_status status = hy_session_read(s, path, &source);
  if (status != HY_STATUS_FINE) return status;
  hy_arena *arena = hy_context_arena(s->context);
  if (hy_gate_part_read(arena, source->text, source->length, part, &why)) return HY_STATUS_FINE;
  return refuse(s, "'halyard gate DIR --shard I/N --part FILE' writes such a file",
                hy_arena_printf(arena, "'%s' %s", path, why));
}

hy_status hy_gate_join_parts(hy_session *s, const hy_inspected *in, hy_gate_result *result) {
  HY_VEC(hy_gate_part) parts = {0};
  hy_status status = HY_STATUS_FINE;
  const char *why;
  const char *const *names = s->options.words.data + 1;
  for (size_t i = 1; status == HY_STATUS_FINE && i < s->options.words.count; i++) {
    hy_gate_part part;
    status = read_part(s, s->options.words.data[i], &part);
    hy_vec_push(&parts, part);
  }
  const hy_gate_parts all = {parts.data, names, parts.count};
  if (status == HY_STATUS_FINE && !hy_gate_merge(&all, hash_sums(s, in), result, &why))
    status = refuse(s, "give all parts of one '--shard 0/N' to '--shard N-1/N', each once", why);
  for (size_t i = 0; i < parts.count; i++) hy_gate_result_free(&parts.data[i].result);
  hy_vec_free(&parts);
  return status;
}
