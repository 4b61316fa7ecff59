// The server itself: its phases, what it hears, what it says, and the loop around.

#include "lsp/lsp.h"

#include "lsp/answers.h"
#include "lsp/jobs.h"
#include "lsp/wire.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

typedef enum { BEFORE, SERVING, SHUT_DOWN, EXITED } phase;

typedef struct {
  hy_wire wire;
  hy_documents documents;
  hy_jobs jobs;
  phase phase;
  bool was_shut_down;
  bool related; // the client shows related places
  sigset_t signals;
} server;

// Of JSON-RPC and of the protocol.
enum {
  PARSE_ERROR = -32700,
  INVALID_REQUEST = -32600,
  METHOD_NOT_FOUND = -32601,
  INVALID_PARAMS = -32602,
  INTERNAL_ERROR = -32603,
  NOT_INITIALIZED = -32002,
  REQUEST_FAILED = -32803,
  CANCELLED = -32800,
};

/* -- answers -- */

static void send_json(server *s, HY_TAKE json_t *message) {
  json_object_set_new(message, "jsonrpc", json_string("2.0"));
  char *text = json_dumps(message, JSON_COMPACT);
  if (text) hy_wire_write(&s->wire, text, strlen(text));
  free(text);
  json_decref(message);
}

static void notify(server *s, const char *method, HY_TAKE json_t *params) {
  send_json(s, json_pack("{s:s, s:o}", "method", method, "params", params));
}

static void answer(server *s, const json_t *id, HY_TAKE json_t *result) {
  send_json(s, json_pack("{s:O, s:o}", "id", id, "result", result));
}

// "id" may be NULL: it is not known.
static void refuse(server *s, const json_t *id, int code, const char *why) {
  json_t *of = id ? json_incref((json_t *)id) : json_null();
  send_json(s, json_pack("{s:o, s:{s:i, s:s}}", "id", of, "error", "code", code, "message", why));
}

/* -- the beginning -- */

static bool offers_utf8(const json_t *capabilities) {
  const json_t *list = json_object_get(json_object_get(capabilities, "general"), "positionEncodings"), *one;
  size_t i;
  json_array_foreach(list, i, one) if (json_is_string(one) && strcmp(json_string_value(one), "utf-8") == 0) return true;
  return false;
}

static json_t *own_capabilities(const server *s) {
  return json_pack("{s:s, s:{s:b, s:i, s:{s:b}}, s:b, s:b, s:b, s:b, s:b, s:{s:[s, s, s]}}", "positionEncoding",
                   s->documents.utf8 ? "utf-8" : "utf-16", "textDocumentSync", "openClose", 1, "change", 2, "save",
                   "includeText", 0, "documentFormattingProvider", 1, "documentSymbolProvider", 1, "definitionProvider",
                   1, "referencesProvider", 1, "hoverProvider", 1, "completionProvider", "triggerCharacters", ".", "(",
                   ",");
}

static void initialize(server *s, const json_t *id, const json_t *params) {
  const json_t *theirs = json_object_get(params, "capabilities");
  const json_t *publish = json_object_get(json_object_get(theirs, "textDocument"), "publishDiagnostics");
  s->documents.utf8 = offers_utf8(theirs);
  s->related = json_is_true(json_object_get(publish, "relatedInformation"));
  s->phase = SERVING;
  answer(s, id,
         json_pack("{s:o, s:{s:s, s:s}}", "capabilities", own_capabilities(s), "serverInfo", "name", "halyard",
                   "version", HALYARD_VERSION));
}

/* -- requests about a document -- */

typedef struct {
  const char *method;
  hy_answering *answer;
} request_row;

static const request_row requests[] = {
#define HY_LSP_REQUEST(method, answer) {method, answer},
#include "lsp/methods.def"
#undef HY_LSP_REQUEST
    {NULL, NULL},
};

typedef struct {
  hy_question question;
  hy_answering *answer;
} asked;

static json_t *work(const void *self) {
  const asked *a = self;
  return a->answer(&a->question);
}

static bool start(server *s, const json_t *id, const hy_document *document, const json_t *params,
                  hy_answering *answering) {
  asked a = {{&s->documents, document, params, s->related}, answering};
  return hy_jobs_start(&s->jobs, id, id ? NULL : document->uri, work, &a, &s->signals);
}

static void request(server *s, const json_t *id, const char *method, const json_t *params) {
  const request_row *row = requests;
  while (row->method && strcmp(row->method, method) != 0) row++;
  if (!row->method) {
    refuse(s, id, METHOD_NOT_FOUND, "there is no such method");
    return;
  }
  const char *uri = json_string_value(json_object_get(json_object_get(params, "textDocument"), "uri"));
  const json_t *position = json_object_get(params, "position");
  hy_lsp_place place;
  const hy_document *document = uri ? hy_documents_find(&s->documents, uri) : NULL;
  if (!uri || (position && !hy_place_of_json(position, &place)))
    refuse(s, id, INVALID_PARAMS, "the parameters are not those of the method");
  else if (!document)
    refuse(s, id, INVALID_PARAMS, "this document is not open");
  else if (!start(s, id, document, params, row->answer))
    refuse(s, id, REQUEST_FAILED, "no process could be made");
}

/* -- notifications -- */

static void cancel(server *s, const json_t *params) {
  const json_t *id = json_object_get(params, "id");
  if (id && hy_jobs_stop(&s->jobs, id, NULL)) refuse(s, id, CANCELLED, "it was cancelled");
}

static void publish(server *s, const char *uri, const hy_document *document, HY_TAKE json_t *list) {
  json_t *params = json_pack("{s:s, s:o}", "uri", uri, "diagnostics", list);
  if (document) json_object_set_new(params, "version", json_integer(document->version));
  notify(s, "textDocument/publishDiagnostics", params);
}

static void close_document(server *s, const json_t *params) {
  json_t *uri = json_incref(json_object_get(json_object_get(params, "textDocument"), "uri"));
  if (hy_documents_close(&s->documents, params)) {
    hy_jobs_stop(&s->jobs, NULL, json_string_value(uri));
    publish(s, json_string_value(uri), NULL, json_array());
  }
  json_decref(uri);
}

// A file that changed on the disk may be what any document is about.
static void look_again(server *s) {
  for (size_t i = 0; i < s->documents.list.count; i++) s->documents.list.data[i].dirty = true;
}

// A text that is not what the client believes gets no better by silence.
static void expect(server *s, bool good, const char *method) {
  if (!good)
    notify(
        s, "window/logMessage",
        json_pack("{s:i, s:o}", "type", 1, "message", json_sprintf("%s: this is not what the protocol says", method)));
}

static void hear(server *s, const char *method, const json_t *params) {
  if (strcmp(method, "exit") == 0)
    s->phase = EXITED;
  else if (s->phase != SERVING)
    return;
  else if (strcmp(method, "textDocument/didOpen") == 0)
    expect(s, hy_documents_open(&s->documents, params), method);
  else if (strcmp(method, "textDocument/didChange") == 0)
    expect(s, hy_documents_change(&s->documents, params), method);
  else if (strcmp(method, "textDocument/didClose") == 0)
    close_document(s, params);
  else if (strcmp(method, "textDocument/didSave") == 0 || strcmp(method, "workspace/didChangeWatchedFiles") == 0)
    look_again(s);
  else if (strcmp(method, "$/cancelRequest") == 0)
    cancel(s, params);
}

/* -- messages -- */

// Behind its answer nothing is said but answers to what was asked before.
static void shut_down(server *s, const json_t *id) {
  s->phase = SHUT_DOWN;
  s->was_shut_down = true;
  for (size_t i = 0; i < s->documents.list.count; i++) {
    hy_jobs_stop(&s->jobs, NULL, s->documents.list.data[i].uri);
    s->documents.list.data[i].dirty = false;
  }
  answer(s, id, json_null());
}

static void call(server *s, const json_t *id, const char *method, const json_t *params) {
  if (s->phase == SHUT_DOWN)
    refuse(s, id, INVALID_REQUEST, "the server was shut down");
  else if (strcmp(method, "initialize") == 0)
    s->phase == BEFORE ? initialize(s, id, params) : refuse(s, id, INVALID_REQUEST, "it was initialized before");
  else if (s->phase == BEFORE)
    refuse(s, id, NOT_INITIALIZED, "initialize comes first");
  else if (strcmp(method, "shutdown") == 0)
    shut_down(s, id);
  else
    request(s, id, method, params);
}

static void take(server *s, const char *body, size_t length) {
  json_error_t error;
  json_t *message = json_loadb(body, length, JSON_ALLOW_NUL | JSON_DECODE_ANY, &error);
  const json_t *id = json_object_get(message, "id"), *method = json_object_get(message, "method");
  const json_t *params = json_object_get(message, "params");
  bool has_id = json_is_integer(id) || json_is_string(id);
  if (!message)
    refuse(s, NULL, PARSE_ERROR, "this is no JSON");
  else if (json_is_string(method) && has_id)
    call(s, id, json_string_value(method), params);
  else if (json_is_string(method) && !id)
    hear(s, json_string_value(method), params);
  else if (!has_id || (!json_object_get(message, "result") && !json_object_get(message, "error"))) // no answer to us
    refuse(s, has_id ? id : NULL, INVALID_REQUEST, "this is neither a request nor a notification");
  json_decref(message);
}

// One message, if a whole one is there. False: more has to be read.
static bool take_one(server *s) {
  const char *body;
  size_t length;
  switch (hy_wire_next(&s->wire, &body, &length)) {
  case HY_WIRE_NOTHING: return false;
  case HY_WIRE_MESSAGE: take(s, body, length); break;
  case HY_WIRE_NO_FRAME: refuse(s, NULL, PARSE_ERROR, "a message begins with Content-Length"); break;
  case HY_WIRE_TOO_LONG: refuse(s, NULL, INVALID_REQUEST, "a message has 64 MiB at most"); break;
  }
  return true;
}

/* -- jobs -- */

static const char *reason(hy_job_end end) {
  return end == HY_JOB_LATE ? "it takes too much time" : "Halyard failed: its standard error says more";
}

static void deliver(server *s, const hy_job *job, hy_job_end end) {
  json_t *value = NULL;
  if (end == HY_JOB_DONE)
    value = job->answer.length
                ? json_loadb(job->answer.data, job->answer.length, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL)
                : json_null();
  if (!value) {
    if (job->id) refuse(s, job->id, end == HY_JOB_LATE ? REQUEST_FAILED : INTERNAL_ERROR, reason(end));
    if (job->uri)
      notify(s, "window/logMessage",
             json_pack("{s:i, s:o}", "type", 1, "message",
                       json_sprintf("no diagnostics of %s: %s", job->uri, reason(end))));
  } else if (job->id) {
    answer(s, job->id, value);
  } else {
    publish(s, job->uri, hy_documents_find(&s->documents, job->uri), value);
  }
}

static void read_job(server *s, size_t index) {
  hy_job_end end;
  if (!hy_job_read(&s->jobs.list.data[index], &end)) return;
  deliver(s, &s->jobs.list.data[index], end);
  hy_jobs_drop(&s->jobs, index);
}

// What is said of a text that has changed since would be wrong.
static void stop_stale(server *s) {
  for (size_t i = 0; i < s->documents.list.count; i++)
    if (s->documents.list.data[i].dirty) hy_jobs_stop(&s->jobs, NULL, s->documents.list.data[i].uri);
}

static void start_diagnostics(server *s) {
  for (size_t i = 0; i < s->documents.list.count && s->jobs.list.count < HY_JOBS_MOST; i++) {
    hy_document *document = &s->documents.list.data[i];
    if (!document->dirty) continue;
    document->dirty = false;
    if (!start(s, NULL, document, NULL, hy_answer_diagnostics))
      notify(s, "window/logMessage", json_pack("{s:i, s:s}", "type", 1, "message", "no process could be made"));
  }
}

/* -- the loop -- */

static bool has_work(const server *s) {
  bool dirty = false;
  for (size_t i = 0; i < s->documents.list.count; i++) dirty |= s->documents.list.data[i].dirty;
  return s->jobs.list.count || dirty;
}

// Messages as long as there are whole ones, and processes for what they ask; then what has changed.
static void serve_messages(server *s) {
  while (s->phase != EXITED && s->jobs.list.count < HY_JOBS_MOST && take_one(s)) {
  }
  stop_stale(s);
  if (s->phase != EXITED) start_diagnostics(s);
}

// Waits for input or an answer. With as many processes as there may be it is not read: whoever asks waits.
static bool wait_and_read(server *s, int signals) {
  struct pollfd ears[2 + HY_JOBS_MOST] = {{.fd = signals, .events = POLLIN}, {.fd = s->wire.in, .events = POLLIN}};
  if (s->wire.has_ended || s->jobs.list.count >= HY_JOBS_MOST) ears[1].fd = -1;
  for (size_t i = 0; i < s->jobs.list.count; i++)
    ears[2 + i] = (struct pollfd){.fd = s->jobs.list.data[i].file, .events = POLLIN};
  size_t jobs = s->jobs.list.count;
  if (poll(ears, 2 + jobs, -1) < 0) return errno == EINTR;
  if (ears[0].revents) return false;
  for (size_t i = jobs; i-- > 0;) // from the last, as dropping one moves the last into its place
    if (ears[2 + i].revents) read_job(s, i);
  if (ears[1].revents) hy_wire_read(&s->wire);
  return true;
}

static void serve(server *s) {
  sigset_t held;
  sigemptyset(&held);
  sigaddset(&held, SIGINT);
  sigaddset(&held, SIGTERM);
  sigaddset(&held, SIGHUP);
  int signals = signalfd(-1, &held, SFD_CLOEXEC | SFD_NONBLOCK);
  for (;;) {
    serve_messages(s);
    if (s->phase == EXITED || s->wire.is_broken || (s->wire.has_ended && !has_work(s))) break;
    if (!wait_and_read(s, signals)) break;
  }
  close(signals);
}

bool hy_lsp_serve(int in, int out) {
  server s = {.wire = {.in = in, .out = out}};
  signal(SIGPIPE, SIG_IGN);
  hy_signals_hold(&s.signals);
  serve(&s);
  while (s.jobs.list.count) hy_jobs_drop(&s.jobs, s.jobs.list.count - 1);
  hy_vec_free(&s.jobs.list);
  hy_signals_release(&s.signals);
  hy_documents_end(&s.documents);
  hy_wire_end(&s.wire);
  return s.was_shut_down;
}
