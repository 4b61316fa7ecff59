// The part of a session that asks neither compiler nor solver: all that halyard-gate has of it.

#include "cli/session/session.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static const hy_loc nowhere = {0};
enum { SOURCE_LIMIT = 16 << 20 }; // bytes; no program of a person's is as long

void hy_session_init(hy_session *s, hy_options options, hy_diagnostics *diagnostics) {
  *s = (hy_session){.options = options, .diagnostics = diagnostics, .context = hy_context_new()};
  s->reporter = hy_reporter_new(options.json, hy_verb_name(options.verb));
}

// Diagnostics point into sources, programs into the context: they go first.
void hy_session_free(hy_session *s) {
  hy_diagnostics_free(s->diagnostics);
  hy_reporter_free(s->reporter);
  hy_context_free(s->context);
  for (size_t i = 0; i < s->sources.count; i++) {
    free((char *)s->sources.data[i]->text);
    free((char *)s->sources.data[i]->name);
    free(s->sources.data[i]);
  }
  hy_vec_free(&s->sources);
  hy_vec_free(&s->schedules);
  hy_options_free(&s->options);
}

/* -- files -- */

static hy_status complain(hy_session *s, const char *path, const char *why) {
  hy_report(s->diagnostics, HY_E_CANNOT_READ, nowhere, NULL, NULL, "cannot read '%s': %s", path, why);
  return HY_STATUS_USAGE;
}

static char *copy(const char *text, size_t length) {
  char *again = hy_allocate(length + 1);
  memcpy(again, text, length);
  again[length] = 0;
  return again;
}

hy_status hy_session_read(hy_session *s, const char *path, const hy_source **source) {
  FILE *file = fopen(path, "rb");
  if (!file) return complain(s, path, strerror(errno));
  hy_text content = {0};
  char piece[1 << 14];
  for (size_t got; content.length <= SOURCE_LIMIT && (got = fread(piece, 1, sizeof piece, file)) > 0;)
    hy_text_add_bytes(&content, piece, got);
  int why = ferror(file) ? errno : 0;
  fclose(file);
  if (why || content.length > SOURCE_LIMIT) {
    hy_text_free(&content);
    return complain(s, path, why ? strerror(why) : "it is longer than 16 MiB");
  }
  hy_source *made = hy_allocate(sizeof *made);
  *made = (hy_source){copy(path, strlen(path)), copy(hy_text_string(&content), content.length), content.length};
  hy_text_free(&content);
  hy_vec_push(&s->sources, made);
  *source = made;
  return HY_STATUS_FINE;
}
