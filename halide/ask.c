// One request, and what is answered to it.

#include "halide/worker_internal.h"
#include "semantics/base/clock.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MOST_WORDS = 1 << 20, SLACK_SECONDS = 30 }; // the host keeps its own limit: this is for when it does not

const char *hy_halide_end_name(hy_halide_end end) {
  static const char *const names[] = {"ran", "refused", "crashed", "hung", "memory", "lost"};
  return names[end];
}

void hy_halide_answer_free(hy_halide_answer *a) {
  hy_buffer_free(a->output);
  free(a->words);
  *a = (hy_halide_answer){0};
}

/* -- bytes -- */

typedef enum { FINE, ENDED, LATE } traffic;

static traffic wait_for(int file, short what, double deadline) {
  for (;;) {
    struct pollfd ear = {file, what, 0};
    double left = deadline - hy_seconds();
    if (left <= 0) return LATE;
    int heard = poll(&ear, 1, (int)(left * 1e3) + 1);
    if (heard > 0) return FINE;
    if (heard < 0 && errno != EINTR) return ENDED;
  }
}

static traffic give(int file, const char *bytes, size_t length, double deadline) {
  for (size_t at = 0; at < length;) {
    traffic state = wait_for(file, POLLOUT, deadline);
    if (state != FINE) return state;
    ssize_t sent = send(file, bytes + at, length - at, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno != EINTR && errno != EAGAIN) return ENDED;
    at += sent > 0 ? (size_t)sent : 0;
  }
  return FINE;
}

static traffic take(int file, char *bytes, size_t length, double deadline) {
  for (size_t at = 0; at < length;) {
    traffic state = wait_for(file, POLLIN, deadline);
    if (state != FINE) return state;
    ssize_t got = recv(file, bytes + at, length - at, MSG_DONTWAIT);
    if (got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN)) return ENDED;
    at += got > 0 ? (size_t)got : 0;
  }
  return FINE;
}

/* -- answers -- */

typedef struct {
  char kind[16], *bytes; // malloc'd, NUL-terminated
  size_t length;
} message;

// "kind N\n" and N bytes. LATE and ENDED as they are; ENDED also of something that is no answer.
static traffic hear(int file, size_t most, double deadline, message *m) {
  char line[48];
  size_t length = 0;
  int used = 0;
  *m = (message){0};
  do {
    traffic state = length < sizeof line - 1 ? take(file, line + length, 1, deadline) : ENDED;
    if (state != FINE) return state;
  } while (line[length++] != '\n');
  line[length] = 0;
  if (sscanf(line, "%15[a-z] %zu\n%n", m->kind, &m->length, &used) != 2 || m->length > most) return ENDED;
  m->bytes = hy_allocate(m->length + 1);
  m->bytes[m->length] = 0;
  traffic state = take(file, m->bytes, m->length, deadline);
  if (state == FINE) return FINE;
  free(m->bytes);
  m->bytes = NULL;
  return state;
}

static bool has_word(const char *text, const char *word) { return strstr(text, word) != NULL; }

static bool is_about_memory(const char *words) {
  return has_word(words, "out of memory") || has_word(words, "Out of memory") || has_word(words, "bad_alloc") ||
         has_word(words, "Cannot allocate memory");
}

static hy_halide_answer with_words(hy_halide_end end, HY_TAKE char *words) {
  return (hy_halide_answer){.end = end, .words = words};
}

static hy_halide_answer say(hy_halide_end end, const char *words) {
  char *copy = strdup(words);
  HY_ASSERT(copy);
  return with_words(end, copy);
}

// "signal 11\nlast words": how the runner ended.
static hy_halide_answer of_death(char *story) {
  const char *rest = strchr(story, '\n');
  bool late = strncmp(story, "time", 4) == 0 || strncmp(story, "clock", 5) == 0;
  if (late) {
    bool clock = story[0] == 'c';
    free(story);
    return say(HY_HALIDE_HUNG, clock ? "it was stopped by the clock: it did nothing" : "it used up its processor time");
  }
  bool memory = is_about_memory(rest ? rest : "") || strncmp(story, "signal 9\n", strlen("signal 9\n")) == 0;
  hy_halide_end end = HY_HALIDE_CRASHED;
  return with_words(memory ? HY_HALIDE_MEMORY : end, story);
}

static hy_halide_answer of_refusal(char *words) {
  bool memory = is_about_memory(words);
  return with_words(memory ? HY_HALIDE_MEMORY : HY_HALIDE_REFUSED, words);
}

/* -- the conversation -- */

typedef struct {
  hy_halide *halide;
  hy_halide_request *request;
  hy_halide_answer *program, *runs;
  size_t at;     // runs that were answered
  bool compiled; // the program was
  double deadline;
} conversation;

static traffic send_request(conversation *c) {
  hy_halide_request *r = c->request;
  const hy_halide_settings *s = &c->halide->settings;
  char line[96];
  int length = snprintf(line, sizeof line, "ask %zu %u %u\n", r->json.length, s->seconds, s->megabytes);
  traffic state = give(c->halide->talk, line, (size_t)length, c->deadline);
  if (state == FINE) state = give(c->halide->talk, r->json.data, r->json.length, c->deadline);
  length = snprintf(line, sizeof line, "bytes %zu\n", r->bytes.length);
  if (state == FINE) state = give(c->halide->talk, line, (size_t)length, c->deadline);
  if (state == FINE) state = give(c->halide->talk, hy_text_string(&r->bytes), r->bytes.length, c->deadline);
  return state;
}

static hy_halide_answer *next_answer(conversation *c) {
  if (!c->compiled) return c->program;
  return c->at < c->request->outputs.count ? &c->runs[c->at] : NULL;
}

static size_t bytes_of_one(const hy_buffer *b) { return b->count * hy_type_bytes(b->type); }

static size_t bytes_of(const hy_buffer *outputs) {
  size_t all = 0;
  for (const hy_buffer *b = outputs; b; b = b->next) all += bytes_of_one(b);
  return all;
}

// Output after output.
static void take_elements(hy_buffer *outputs, const char *bytes, size_t length) {
  for (hy_buffer *b = outputs; b && length; b = b->next) {
    size_t own = bytes_of_one(b) < length ? bytes_of_one(b) : length;
    if (own) memcpy(b->data, bytes, own);
    bytes += own, length -= own;
  }
}

// False: it was no answer to what was asked.
static bool take_answer(conversation *c, message *m) {
  hy_halide_answer *next = next_answer(c);
  if (strcmp(m->kind, "compiled") == 0 && !c->compiled) {
    c->compiled = true;
    *c->program = (hy_halide_answer){.end = HY_HALIDE_RAN};
    return true;
  }
  if (strcmp(m->kind, "refused") == 0 && next) {
    *next = of_refusal(m->bytes);
    m->bytes = NULL;
    c->at += c->compiled;
    return true;
  }
  if (strcmp(m->kind, "output") == 0 && next && c->compiled) {
    hy_buffer **output = &c->request->outputs.data[c->at];
    if (m->length != bytes_of(*output)) return false;
    take_elements(*output, m->bytes, m->length);
    *next = (hy_halide_answer){.end = HY_HALIDE_RAN, .output = *output};
    *output = NULL;
    c->at++;
    return true;
  }
  return false;
}

static void answer_rest(conversation *c, hy_halide_answer answer) {
  hy_halide_answer *next = next_answer(c);
  if (next)
    *next = answer;
  else
    hy_halide_answer_free(&answer);
}

// Answers until "done" or "died"; otherwise the conversation is over, and a later one begins anew.
static void listen_to(conversation *c) {
  size_t most = MOST_WORDS;
  for (size_t i = 0; i < c->request->outputs.count; i++)
    if (bytes_of(c->request->outputs.data[i]) > most) most = bytes_of(c->request->outputs.data[i]);
  for (;;) {
    message m;
    traffic state = hear(c->halide->talk, most, c->deadline, &m);
    bool done = state == FINE && strcmp(m.kind, "done") == 0, died = state == FINE && strcmp(m.kind, "died") == 0;
    if (died) {
      answer_rest(c, of_death(m.bytes));
      return;
    }
    bool taken = !done && state == FINE && take_answer(c, &m);
    if (state == FINE) free(m.bytes);
    if (taken) continue;
    if (!done) {
      hy_halide_close(c->halide);
      answer_rest(c, state == LATE ? say(HY_HALIDE_HUNG, "it was stopped by the clock: nothing was heard of it")
                                   : say(HY_HALIDE_LOST, "the worker ended, or answered with something else"));
    }
    return;
  }
}

void hy_halide_ask(hy_halide *h, hy_halide_request *request, hy_halide_answer *program, hy_halide_answer *runs) {
  double limit = (double)h->settings.seconds * HY_HALIDE_PATIENCE + SLACK_SECONDS;
  conversation c = {h, request, program, runs, 0, false, hy_seconds() + limit};
  *program = (hy_halide_answer){.end = HY_HALIDE_LOST};
  for (size_t i = 0; i < request->outputs.count; i++) runs[i] = (hy_halide_answer){.end = HY_HALIDE_LOST};
  hy_text_add(&request->json, "]}");
  traffic state = hy_halide_open(h) ? send_request(&c) : ENDED;
  if (state == FINE) {
    listen_to(&c);
    return;
  }
  hy_halide_close(h);
  *program = say(HY_HALIDE_LOST, state == LATE ? "the worker does not listen" : "the worker has ended");
}
