#include "gate/manifest/result.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *hy_gate_verdict_name(hy_gate_verdict verdict) {
  switch (verdict) {
  case HY_GATE_PASSED: return "passed";
  case HY_GATE_UNDECIDED: return "undecided";
  case HY_GATE_SLOWER: return "slower";
  case HY_GATE_STALE: return "stale";
  case HY_GATE_MALFORMED: return "malformed";
  case HY_GATE_WRONG: return "wrong";
  case HY_GATE_DEFECT: return "defect";
  }
  HY_UNREACHABLE();
}

void hy_gate_result_free(hy_gate_result *r) { hy_vec_free(&r->checks); }

// What is told quotes names and texts of whoever made the folder: in one line, and not without end.
static const char *tell(hy_arena *arena, const char *format, va_list arguments) {
  enum { MOST = 1000 };
  hy_text said = {0}, plain = {0};
  va_list again;
  va_copy(again, arguments);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  HY_ASSERT(length >= 0);
  char *whole = hy_allocate((size_t)length + 1);
  vsnprintf(whole, (size_t)length + 1, format, arguments);
  hy_text_add_plain(&plain, whole);
  free(whole);
  const char *at = hy_text_string(&plain), *end = at;
  for (bool shown; *end; end += hy_text_character(end, &shown))
    if ((size_t)(end - at) >= MOST) break;
  hy_text_add_bytes(&said, at, (size_t)(end - at));
  if (*end) hy_text_add(&said, " ...");
  const char *story = hy_arena_copy(arena, hy_text_string(&said), said.length);
  hy_text_free(&plain);
  hy_text_free(&said);
  return story;
}

hy_gate_check *hy_gate_add(hy_gate_result *r, int level, const char *name, const char *file, hy_gate_verdict verdict,
                           unsigned code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const char *story = tell(r->arena, format, arguments);
  va_end(arguments);
  hy_vec_push(&r->checks, ((hy_gate_check){.level = level,
                                           .name = name,
                                           .file = file ? hy_arena_copy(r->arena, file, strlen(file)) : NULL,
                                           .verdict = verdict,
                                           .code = code,
                                           .story = story}));
  return &hy_vec_last(&r->checks);
}

void hy_gate_add_step(hy_gate_result *r, hy_gate_check *check, const char *file, const char *text) {
  if (!file || !*file || !text || !*text) return;
  for (int i = 0; i < HY_GATE_STEPS; i++) {
    if (check->steps[i].text) continue;
    check->steps[i] =
        (hy_gate_step){hy_arena_copy(r->arena, file, strlen(file)), hy_arena_copy(r->arena, text, strlen(text))};
    return;
  }
}

bool hy_gate_shard_has(hy_gate_shard s, uint64_t number) { return s.count < 2 || number % s.count == s.index; }

hy_gate_verdict hy_gate_worst_of(const hy_gate_result *r, int level) {
  hy_gate_verdict worst = HY_GATE_PASSED;
  for (size_t i = 0; i < r->checks.count; i++) {
    const hy_gate_check *c = &r->checks.data[i];
    bool is_worse = c->verdict > worst && !c->is_allowed;
    if ((level < 0 || c->level == level) && is_worse) worst = c->verdict;
  }
  return worst;
}

hy_gate_verdict hy_gate_worst(const hy_gate_result *r) { return hy_gate_worst_of(r, -1); }

size_t hy_gate_count(const hy_gate_result *r, int level, hy_gate_verdict verdict) {
  size_t count = 0;
  for (size_t i = 0; i < r->checks.count; i++)
    count += (level < 0 || r->checks.data[i].level == level) && r->checks.data[i].verdict == verdict;
  return count;
}
