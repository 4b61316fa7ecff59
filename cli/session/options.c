#include "cli/session/options.h"

#include "oracle/z3/z3_check.h"
#include "semantics/value/value_parse.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const hy_loc nowhere = {0};

/* -- the tables -- */

enum {
  R = 1 << HY_VERB_RUN,
  C = 1 << HY_VERB_CHECK,
  V = 1 << HY_VERB_VERIFY,
  S = 1 << HY_VERB_SHOW,
  B = 1 << HY_VERB_BENCH,
  N = 1 << HY_VERB_BUILD,
  D = 1 << HY_VERB_DIRECTIVES,
  F = 1 << HY_VERB_FUZZ,
  P = 1 << HY_VERB_REPLAY,
  U = 1 << HY_VERB_REDUCE,
  L = 1 << HY_VERB_VALIDATE,
  H = 1 << HY_VERB_SHIP,
  G = 1 << HY_VERB_GATE,
  X = 1 << HY_VERB_EXPORT,
  I = 1 << HY_VERB_DIFF,
  T = 1 << HY_VERB_TUNE,
  M = 1 << HY_VERB_FMT,
  Y = 1 << HY_VERB_LSP,
  K = 1 << HY_VERB_COMPLETION,
  Z = 1 << HY_VERB_MAN,
};

typedef enum {
#define HY_OPTION(name, ...) OPTION_##name,
#include "cli/session/options.def"
#undef HY_OPTION
  OPTION_COUNT
} option_kind;

static const hy_option_row rows[] = {
#define HY_OPTION(name, ...) {__VA_ARGS__},
#include "cli/session/options.def"
#undef HY_OPTION
};

#define PROGRAM "@.alg @.tgt @.sched@NAME"
static const hy_verb_row verbs[] = {
    [HY_VERB_RUN] = {"run", "A [S] [-p w=3] [-i in=photo.png] [-o out.png] [--window x=0:640,y=0:480]",
                     "computes the output, after check; refuses what check refuses", PROGRAM},
    [HY_VERB_CHECK] = {"check", "A [S]",
                       "decides for all inputs whether the program is well-formed, the schedule legal and every "
                       "obligation on its bounds met",
                       PROGRAM},
    [HY_VERB_VERIFY] = {"verify", "A [S]",
                        "check with Z3 asked about everything, then every engine on generated inputs and windows",
                        PROGRAM},
    [HY_VERB_SHOW] = {"show", "A [S] --stage STAGE", "prints the program after any step of compilation", PROGRAM},
    [HY_VERB_BENCH] = {"bench", "A [S...] -i in=random:2570x1924:1", "times schedules against each other, in turn",
                       PROGRAM},
    [HY_VERB_BUILD] =
        {"build", "A [S] -o NAME [--emit a,h] [--target host] [--name f]",
         "compiles ahead of time: files NAME.a, NAME.h, ... for programs of others, to be called as pipelines of "
         "Halide's are; refuses what check refuses",
         PROGRAM},
    [HY_VERB_SHIP] = {"ship", "A [S] -o DIR [--target x86-64-v3] [--name f]",
                      "makes a folder that ships: objects, libraries, header, the program, its proofs, a bill of "
                      "materials and a manifest, whose bytes 'halyard gate' judges",
                      PROGRAM},
    [HY_VERB_GATE] =
        {"gate", "DIR|MANIFEST [A [S]] [--level 2] [--verify-only]  or  gate DIR|MANIFEST --merge PART...",
         "judges what shipped, by its very bytes: identity (level 0), proofs (1), runs of the shipped code "
         "(2), its instructions for all contents of images (3), with --baseline speed (4); docs/gate.md. A and S: the "
         "sources as they are by now. --merge joins what --shard I/N --part PART wrote, one of each of the N shards",
         "@folder @.alg @.tgt @.sched@NAME @file"},
    [HY_VERB_EXPORT] =
        {"export", "A [S] [--to halide-python|halide-cpp] [--idiomatic] [--unscheduled --estimate ..] [-o FILE]",
         "prints the algorithm with its schedule as a program for Halide, or says what there has another "
         "meaning",
         PROGRAM},
    [HY_VERB_DIFF] = {"diff", "OLD NEW",
                      "says what changed from one shipped folder to another: sources, obligations, "
                      "versions, code",
                      "@folder"},
    [HY_VERB_DIRECTIVES] = {"directives", "", "lists the scheduling directives", NULL},
    [HY_VERB_FUZZ] = {"fuzz", "[--time 60] [--out DIR]",
                      "makes random pairs of algorithms and schedules and judges Halyard by them; failures are shrunk",
                      "@folder"},
    [HY_VERB_REPLAY] = {"replay", "CASE...", "judges case files that fuzz has written, again", "@.case"},
    [HY_VERB_REDUCE] = {"reduce", "CASE... [-o SMALLER]", "makes case files smaller that show the same", "@.case"},
    [HY_VERB_VALIDATE] = {"validate", "PLUGIN.so [--out DIR]",
                          "judges a directive from outside the tree: every level of validation, random pairs aimed at "
                          "it, each built-in directive before and after it; one page says what was found",
                          "@.so"},
    [HY_VERB_TUNE] = {"tune", "A --estimate out.x=0:2560,out.y=0:1440 [--level 0|1|2] [-o OUT.sched]",
                      "finds a schedule for about these sizes, and proves it; docs/tune.md", "@.alg"},
    [HY_VERB_FMT] =
        {"fmt", "FILE... [-w] [--check]  or  fmt -",
         "prints algorithms, schedules and target programs in one layout; words and comments stay as they are "
         "(-: standard input)",
         "@.alg @.sched @.tgt"},
    [HY_VERB_LSP] = {"lsp", "[--stdio]",
                     "serves an editor over standard input and output (LSP 3.17): diagnostics, hover with bounds and "
                     "their reasons, "
                     "definitions, completion with the loops that are there; docs/editors.md says how editors are told",
                     NULL},
    [HY_VERB_COMPLETION] = {"completion", "bash|zsh|fish",
                            "prints what makes a shell complete verbs, options, their words, files and schedules; "
                            "docs/editors.md says where it goes",
                            "bash zsh fish"},
    [HY_VERB_MAN] = {"man", "[VERB|PROGRAM]",
                     "prints a manual page, for man -l -: of Halyard, a verb, halyard-gate or halyard-certcheck",
                     "@verb halyard halyard-gate halyard-certcheck"},
    [HY_VERB_HELP] = {"help", "[VERB]", "explains a verb", "@verb"},
};
_Static_assert(HY_COUNT(verbs) == HY_VERB_COUNT, "a row for every verb");

bool hy_verb_find(const char *name, hy_verb *verb) {
  for (int v = 0; v < HY_VERB_COUNT; v++) {
    if (strcmp(verbs[v].name, name) != 0) continue;
    *verb = (hy_verb)v;
    return true;
  }
  return false;
}

const char *hy_verb_name(hy_verb verb) { return verbs[verb].name; }
const hy_verb_row *hy_verb_about(hy_verb verb) { return &verbs[verb]; }
const hy_option_row *hy_option_at(size_t index) { return index < OPTION_COUNT ? &rows[index] : NULL; }
bool hy_option_is_of(const hy_option_row *row, hy_verb verb) { return row->verbs >> verb & 1; }

const char *hy_engine_name(hy_engine engine) {
  switch (engine) {
  case HY_ENGINE_NATIVE: return "native";
  case HY_ENGINE_TGT: return "tgt";
  case HY_ENGINE_ALG: return "alg";
  case HY_ENGINE_HALIDE: return "halide";
  }
  HY_UNREACHABLE();
}

/* -- complaints -- */

static bool unknown_verb(const char *word, hy_diagnostics *diagnostics) {
  const char *names[HY_VERB_COUNT];
  for (int v = 0; v < HY_VERB_COUNT; v++) names[v] = verbs[v].name;
  const char *near = hy_nearest(word, names, HY_VERB_COUNT);
  hy_text help = {0};
  if (near) hy_text_printf(&help, "did you mean '%s'? ", near);
  hy_text_add(&help, "the verbs are");
  for (int v = 0; v < HY_VERB_COUNT; v++) hy_text_printf(&help, "%s %s", v ? "," : "", verbs[v].name);
  hy_report(diagnostics, HY_E_UNKNOWN_VERB, nowhere, NULL, hy_text_string(&help), "unknown verb '%s'", word);
  hy_text_free(&help);
  return false;
}

static bool unknown_option(hy_verb verb, const char *word, hy_diagnostics *diagnostics) {
  const char *names[OPTION_COUNT] = {0};
  char name[64];
  bool is_long = strncmp(word, "--", 2) == 0;
  snprintf(name, sizeof name, "%.*s", (int)strcspn(word + is_long + 1, "="), word + is_long + 1);
  hy_text help = {0};
  for (int i = 0; i < OPTION_COUNT; i++) {
    bool meant = is_long ? strcmp(rows[i].name, name) == 0 : rows[i].letter && rows[i].letter == name[0];
    if (rows[i].verbs & 1u << verb)
      names[i] = rows[i].name;
    else if (meant)
      for (int v = 0; v < HY_VERB_COUNT; v++)
        if (rows[i].verbs & 1u << v)
          hy_text_printf(&help, "%s%s", help.length ? ", " : "it is an option of ", verbs[v].name);
  }
  const char *near = hy_nearest(name, names, OPTION_COUNT);
  if (near && !help.length) hy_text_printf(&help, "did you mean '--%s'?", near);
  if (!help.length) hy_text_printf(&help, "'halyard help %s' lists what there is", verbs[verb].name);
  hy_report(diagnostics, HY_E_UNKNOWN_OPTION, nowhere, NULL, hy_text_string(&help), "unknown option '%s%s' of '%s'",
            is_long ? "--" : "-", is_long ? name : (char[]){name[0], 0}, verbs[verb].name);
  hy_text_free(&help);
  return false;
}

static bool misuse(option_kind kind, const char *value, const char *why, hy_diagnostics *diagnostics) {
  hy_report(diagnostics, HY_E_USAGE, nowhere, NULL, NULL, "--%s takes %s, but '%s' %s", rows[kind].name,
            rows[kind].argument ? rows[kind].argument : "nothing", value, why);
  return false;
}

/* -- arguments of options -- */

static char *copy_name(const char *text, size_t length) {
  char *name = hy_allocate(length + 1);
  memcpy(name, text, length);
  name[length] = 0;
  return name;
}

static bool take_setting(option_kind kind, const char *text, hy_setting *setting, hy_diagnostics *diagnostics) {
  const char *equals = strchr(text, '=');
  if (!equals || equals == text) return misuse(kind, text, "has no name before a '='", diagnostics);
  if (!equals[1]) return misuse(kind, text, "has nothing after the '='", diagnostics);
  *setting = (hy_setting){copy_name(text, (size_t)(equals - text)), equals + 1};
  return true;
}

// estimate: name "=" value {"," name "=" value}
static bool take_estimates(hy_options *options, const char *text, hy_diagnostics *diagnostics) {
  for (const char *at = text;; at++) {
    size_t name = strcspn(at, "=,"), all = strcspn(at, ",");
    if (!name || at[name] != '=' || all == name + 1)
      return misuse(OPTION_ESTIMATE, text, "has a part that is not NAME=MIN:LEN or NAME=VALUE", diagnostics);
    hy_vec_push(&options->estimates, (hy_setting){copy_name(at, name), copy_name(at + name + 1, all - name - 1)});
    at += all;
    if (!*at) return true;
  }
}

static bool bad_window(const char *text, const char *why, hy_diagnostics *diagnostics) {
  hy_report(diagnostics, HY_E_WINDOW_ARGUMENT, nowhere, NULL,
            "write NAME=MIN:LEN for each of the output's variables, with commas between: --window x=0:640,y=0:480",
            "the window '%s' %s", text, why);
  return false;
}

// window: side {"," side};  side: name "=" min ":" len
static bool take_window(hy_options *options, const char *text, hy_diagnostics *diagnostics) {
  const char *at = text;
  if (options->window_given) return bad_window(text, "comes second; give one --window", diagnostics);
  options->window_given = true;
  do {
    hy_window_side side = {0};
    size_t length = strcspn(at, "=:,");
    const char *name = at;
    if (!length || at[length] != '=') return bad_window(text, "has a side without NAME=", diagnostics);
    for (size_t i = 0; i < options->window.count; i++)
      if (strlen(options->window.data[i].name) == length && memcmp(options->window.data[i].name, name, length) == 0)
        return bad_window(text, "names a side twice", diagnostics);
    at += length + 1;
    if (!hy_take_int(&at, &side.min) || *at != ':')
      return bad_window(text, "has a side that is not MIN:LEN", diagnostics);
    at++;
    if (!hy_take_int(&at, &side.len)) return bad_window(text, "has a side that is not MIN:LEN", diagnostics);
    if (side.len < 0) return bad_window(text, "has a negative length; it is MIN:LEN, not MIN:MAX", diagnostics);
    side.name = copy_name(name, length);
    hy_vec_push(&options->window, side);
  } while (*at == ',' && at++);
  return *at ? bad_window(text, "has something after its last length", diagnostics) : true;
}

// events: word {"," word}; 0 if a word is none of these
static unsigned events_of(const char *words) {
  static const char *const names[] = {"loads", "stores", "realizations"};
  unsigned all = 0;
  for (const char *at = words;; at++) {
    size_t length = strcspn(at, ",");
    unsigned event = 0;
    for (unsigned i = 0; i < HY_COUNT(names); i++)
      if (strlen(names[i]) == length && strncmp(names[i], at, length) == 0) event = 1u << i;
    all |= event;
    at += length;
    if (!event || !*at) return event ? all : 0;
  }
}

static bool take_trace(hy_options *o, const char *words, hy_diagnostics *diagnostics) {
  if (!words) return o->trace = true;
  o->events = events_of(words);
  return o->events || misuse(OPTION_TRACE, words, "is none of these, nor several with commas", diagnostics);
}

static bool take_engine(const char *text, hy_engine *engine, hy_diagnostics *diagnostics) {
  for (int e = HY_ENGINE_NATIVE; e <= HY_ENGINE_HALIDE; e++) {
    if (strcmp(text, hy_engine_name((hy_engine)e)) != 0) continue;
    *engine = (hy_engine)e;
    return true;
  }
  return misuse(OPTION_ENGINE, text, "is none of native, tgt, alg, halide", diagnostics);
}

static bool take_mode(const char *text, hy_mode *mode, hy_diagnostics *diagnostics) {
  *mode = strcmp(text, "strict") == 0 ? HY_STRICT : HY_LAZY;
  return *mode == HY_STRICT || strcmp(text, "lazy") == 0 ||
         misuse(OPTION_MODE, text, "is neither lazy nor strict", diagnostics);
}

static bool take_format(const char *text, bool *json, hy_diagnostics *diagnostics) {
  *json = strcmp(text, "json") == 0;
  return *json || strcmp(text, "text") == 0 || misuse(OPTION_FORMAT, text, "is neither text nor json", diagnostics);
}

static const char *const colours[] = {
    [HY_COLOUR_AUTO] = "auto", [HY_COLOUR_ALWAYS] = "always", [HY_COLOUR_NEVER] = "never"};

bool hy_colour_find(const char *text, hy_colour *colour) {
  for (size_t i = 0; i < HY_COUNT(colours); i++) {
    if (strcmp(text, colours[i]) != 0) continue;
    *colour = (hy_colour)i;
    return true;
  }
  return false;
}

static bool take_count(option_kind kind, const char *text, int64_t *count, hy_diagnostics *diagnostics) {
  const char *at = text;
  return (hy_take_int(&at, count) && !*at && *count >= 1 && *count <= 1000000) ||
         misuse(kind, text, "is not a whole number from 1 to 1000000", diagnostics);
}

static bool take_large(option_kind kind, const char *text, int64_t *count, hy_diagnostics *diagnostics) {
  const char *at = text;
  return (hy_take_int(&at, count) && !*at && *count >= 1 && *count <= INT64_C(1000000000000)) ||
         misuse(kind, text, "is not a whole number from 1 to 1000000000000", diagnostics);
}

static bool take_level(const char *text, hy_options *o, hy_diagnostics *diagnostics) {
  const char *at = text;
  int64_t most = o->verb == HY_VERB_TUNE ? 2 : 3;
  return (hy_take_int(&at, &o->level) && !*at && o->level >= 0 && o->level <= most) ||
         misuse(OPTION_LEVEL, text,
                most == 2 ? "is no level of 0, 1 and 2"
                          : "is no level of 0, 1, 2 and 3 (4, speed, is asked for by --baseline DIR)",
                diagnostics);
}

static bool take_seconds(option_kind kind, const char *text, int64_t *count, hy_diagnostics *diagnostics) {
  return strcmp(text, "0") == 0 ? (*count = 0, true) : take_count(kind, text, count, diagnostics);
}

static bool take_option(hy_options *o, option_kind kind, const char *value, hy_diagnostics *diagnostics) {
  hy_setting setting;
  const char *at = value;
  switch (kind) {
  case OPTION_PARAM:
    if (!take_setting(kind, value, &setting, diagnostics)) return false;
    hy_vec_push(&o->params, setting);
    return true;
  case OPTION_IMAGE:
    if (!take_setting(kind, value, &setting, diagnostics)) return false;
    hy_vec_push(&o->images, setting);
    return true;
  case OPTION_OUTPUT:
    if (o->output && o->verb != HY_VERB_RUN) return misuse(kind, value, "is a second output", diagnostics);
    hy_vec_push(&o->outputs, value);
    o->output = o->outputs.data[0];
    return true;
  case OPTION_QUALITY:
    return (hy_take_int(&at, &o->quality) && !*at && o->quality >= 1 && o->quality <= 100) ||
           misuse(kind, value, "is not a whole number from 1 to 100", diagnostics);
  case OPTION_COMPARE: hy_vec_push(&o->compared, value); return true;
  case OPTION_TOLERANCE:
    return (hy_parse_double(value, &o->tolerance) && isfinite(o->tolerance) && o->tolerance >= 0) ||
           misuse(kind, value, "is not a number that is at least 0", diagnostics);
  case OPTION_ESTIMATE: return take_estimates(o, value, diagnostics);
  case OPTION_VECTOR_WIDTH: return take_count(kind, value, &o->vector_width, diagnostics);
  case OPTION_PARALLELISM: return take_count(kind, value, &o->parallelism, diagnostics);
  case OPTION_CACHE: return take_count(kind, value, &o->cache_kb, diagnostics);
  case OPTION_LOAD_COST: return take_count(kind, value, &o->load_cost, diagnostics);
  case OPTION_BUDGET: return take_count(kind, value, &o->budget, diagnostics);
  case OPTION_START: o->start = value; return true;
  case OPTION_FREEZE: o->freeze = value; return true;
  case OPTION_SWEEP:
    o->sweep = value;
    return strcmp(value, "all") == 0 || strcmp(value, "six") == 0 ||
           misuse(kind, value, "is neither six nor all", diagnostics);
  case OPTION_REPLAY: o->replay = value; return true;
  case OPTION_MEASUREMENTS: o->measurements = value; return true;
  case OPTION_REPORT: o->report = value; return true;
  case OPTION_WINDOW: return take_window(o, value, diagnostics);
  case OPTION_ENGINE: return take_engine(value, &o->engine, diagnostics);
  case OPTION_MODE: return take_mode(value, &o->mode, diagnostics);
  case OPTION_STAGE: o->stage = value; return true;
  case OPTION_PAIRS: return take_large(kind, value, &o->pairs, diagnostics);
  case OPTION_TIME: return take_count(kind, value, &o->seconds, diagnostics);
  case OPTION_JOBS: return take_count(kind, value, &o->jobs, diagnostics);
  case OPTION_LANES: o->lanes = value; return true;
  case OPTION_OUT: o->out = value; return true;
  case OPTION_RESUME: o->resume = true; return true;
  case OPTION_MERGE: o->merge = true; return true;
  case OPTION_SHARD: o->shard = value; return true;
  case OPTION_PART: o->part = value; return true;
  case OPTION_KEPT: o->cache = value; return true;
  case OPTION_DIRECTIVE: o->directive = value; return true;
  case OPTION_CHOICES: o->choices = value; return true;
  case OPTION_STOP_AT: return take_count(kind, value, &o->stop_at, diagnostics);
  case OPTION_SHRINK: return take_seconds(kind, value, &o->shrink, diagnostics);
  case OPTION_PLUGIN: hy_vec_push(&o->plugins, value); return true;
  case OPTION_SEED:
    return (hy_take_uint(&at, &o->seed) && !*at) || misuse(kind, value, "is not a whole number", diagnostics);
  case OPTION_TRACE: return take_trace(o, value, diagnostics);
  case OPTION_TRACE_FUNC: o->trace_funcs = value; return true;
  case OPTION_PROFILE: o->profile = true; return true;
  case OPTION_GUARD: o->guard = true; return true;
  case OPTION_STEPS: return take_count(kind, value, &o->steps, diagnostics);
  case OPTION_CASES: return take_count(kind, value, &o->cases, diagnostics);
  case OPTION_REPEAT: return take_count(kind, value, &o->repeat, diagnostics);
  case OPTION_REFERENCE:
    return (hy_parse_double(value, &o->reference_ms) && isfinite(o->reference_ms) && o->reference_ms > 0) ||
           misuse(kind, value, "is not a positive number", diagnostics);
  case OPTION_CHECK:
  case OPTION_CHECK_LAYOUT: o->check = true; return true;
  case OPTION_WRITE: o->write = true; return true;
  case OPTION_Z3_STEPS: return take_count(kind, value, &o->z3_limit, diagnostics);
  case OPTION_LIMIT: return take_count(kind, value, &o->emergency_ms, diagnostics);
  case OPTION_UNKNOWN:
    o->defer_unknown = strcmp(value, "runtime") == 0;
    return o->defer_unknown || strcmp(value, "reject") == 0 ||
           misuse(kind, value, "is neither reject nor runtime", diagnostics);
  case OPTION_VERBOSE: o->verbose = true; return true;
  case OPTION_DIRECTIVES: o->directives = true; return true;
  case OPTION_CERTIFICATES: o->certificates = value; return true;
  case OPTION_AGAINST: o->against = value; return true;
  case OPTION_RECHECK:
    o->recheck = true;
    o->recheck_coq = value != NULL;
    return !value || strcmp(value, "coq") == 0 || misuse(kind, value, "is not 'coq'", diagnostics);
  case OPTION_EMIT: o->emit = value; return true;
  case OPTION_TARGET: o->target = value; return true;
  case OPTION_NAME: o->name = value; return true;
  case OPTION_TO: o->to = value; return true;
  case OPTION_IDIOMATIC: o->idiomatic = true; return true;
  case OPTION_UNSCHEDULED: o->unscheduled = true; return true;
  case OPTION_WITH: o->with = value; return true;
  case OPTION_UNPROVED: o->unproved = true; return true;
  case OPTION_LEVEL: return take_level(value, o, diagnostics);
  case OPTION_VERIFY_ONLY: o->verify_only = true; return true;
  case OPTION_REBUILD: o->rebuild = true; return true;
  case OPTION_ALLOW: o->allow = value; return true;
  case OPTION_BASELINE: o->baseline = value; return true;
  case OPTION_MAX_SLOWDOWN:
    return (hy_parse_double(value, &o->max_slowdown) && o->max_slowdown >= 0 && o->max_slowdown <= 100) ||
           misuse(kind, value, "is not a number from 0 to 100", diagnostics);
  case OPTION_INPUTS: return take_count(kind, value, &o->inputs, diagnostics);
  case OPTION_JUNIT: o->junit = value; return true;
  case OPTION_SARIF: o->sarif = value; return true;
  case OPTION_MARKDOWN: o->markdown = value; return true;
  case OPTION_SVR: o->svr = value; return true;
  case OPTION_SECOND_CHECKER: o->second_checker = value; return true;
  case OPTION_TEST_RESULT: o->test_result = value; return true;
  case OPTION_EXPLAIN: o->explain = true; return true;
  case OPTION_FORMAT: return take_format(value, &o->json, diagnostics);
  case OPTION_COLOR:
    return hy_colour_find(value, &o->colour) || misuse(kind, value, "is none of auto, always, never", diagnostics);
  case OPTION_STDIO: return true; // there is no other way
  case OPTION_HELP: o->help = true; return true;
  case OPTION_COUNT: break;
  }
  HY_UNREACHABLE();
}

/* -- the line -- */

// The rows of one verb, as getopt_long wants them. A long option's value is its row, counted from 256.
static void build_getopt(hy_verb verb, struct option *longs, char *letters) {
  *letters++ = ':'; // a missing argument is told apart from an unknown option
  for (int i = 0; i < OPTION_COUNT; i++) {
    if (!(rows[i].verbs & 1u << verb)) continue;
    const char *argument = rows[i].argument;
    int takes = !argument ? no_argument : argument[0] == '[' ? optional_argument : required_argument;
    *longs++ = (struct option){rows[i].name, takes, NULL, 256 + i};
    if (!rows[i].letter) continue;
    *letters++ = rows[i].letter;
    if (rows[i].argument) *letters++ = ':';
  }
  *longs = (struct option){0};
  *letters = 0;
}

static option_kind kind_of_letter(hy_verb verb, int letter) {
  for (int i = 0; i < OPTION_COUNT; i++)
    if (rows[i].letter == letter && rows[i].verbs & 1u << verb) return (option_kind)i;
  HY_UNREACHABLE();
}

static bool missing_argument(hy_verb verb, int code, hy_diagnostics *diagnostics) {
  option_kind kind = code >= 256 ? (option_kind)(code - 256) : kind_of_letter(verb, code);
  hy_report(diagnostics, HY_E_USAGE, nowhere, NULL, NULL, "--%s needs %s after it", rows[kind].name,
            rows[kind].argument);
  return false;
}

// What getopt complained about: an unknown word, an ambiguous one, or an argument where none belongs.
static bool bad_option(hy_verb verb, int argc, char **argv, hy_diagnostics *diagnostics) {
  char letter[] = {'-', (char)optopt, 0};
  const char *word = optopt && optopt < 256 ? letter : argv[optind - 1 < argc ? optind - 1 : argc - 1];
  if (optopt >= 256) {
    hy_report(diagnostics, HY_E_USAGE, nowhere, NULL, NULL, "--%s takes nothing after a '='", rows[optopt - 256].name);
    return false;
  }
  return unknown_option(verb, word, diagnostics);
}

static bool parse_words(hy_options *options, int argc, char **argv, hy_diagnostics *diagnostics) {
  struct option longs[OPTION_COUNT + 1];
  char letters[2 * OPTION_COUNT + 2];
  build_getopt(options->verb, longs, letters);
  optind = 0; // starts anew
  opterr = 0;
  for (int code; (code = getopt_long(argc, argv, letters, longs, NULL)) != -1;) {
    if (code == ':') return missing_argument(options->verb, optopt, diagnostics);
    if (code == '?') return bad_option(options->verb, argc, argv, diagnostics);
    option_kind kind = code >= 256 ? (option_kind)(code - 256) : kind_of_letter(options->verb, code);
    const char *value = optarg;
    if (kind == OPTION_TRACE && !value && optind < argc && events_of(argv[optind])) value = argv[optind++]; // no file
    if (!take_option(options, kind, value, diagnostics)) return false;
    hy_vec_push(&options->given, rows[kind].name);
  }
  for (int i = optind; i < argc; i++) hy_vec_push(&options->words, argv[i]);
  return true;
}

bool hy_options_parse(hy_options *options, int argc, char **argv, hy_diagnostics *diagnostics) {
  *options = (hy_options){.seed = 1,
                          .cases = 24,
                          .repeat = 15,
                          .z3_limit = HY_Z3_USUAL,
                          .steps = 50000,
                          .level = 2,
                          .inputs = 48,
                          .max_slowdown = 0.03,
                          .jobs = 1,
                          .shrink = 60};
  if (argc < 2) {
    hy_report(diagnostics, HY_E_USAGE, nowhere, NULL, "'halyard help' lists the verbs", "there is no verb");
    return false;
  }
  if (argv[1][0] == '-') {
    hy_report(diagnostics, HY_E_USAGE, nowhere, NULL,
              "write halyard VERB FILES OPTIONS; 'halyard help' lists the verbs", "the verb comes first, before '%s'",
              argv[1]);
    return false;
  }
  if (!hy_verb_find(argv[1], &options->verb)) return unknown_verb(argv[1], diagnostics);
  if (options->verb == HY_VERB_RUN) options->seed = 0; // in order, unless asked otherwise
  if (options->verb == HY_VERB_VALIDATE) options->jobs = 2;
  if (options->verb == HY_VERB_TUNE) options->level = 1;
  if (!parse_words(options, argc - 1, argv + 1, diagnostics)) return false;
  if (options->verb == HY_VERB_VALIDATE) // what it judges is loaded like the others
    for (size_t i = 0; i < options->words.count; i++) hy_vec_push(&options->plugins, options->words.data[i]);
  return true;
}

const char *hy_options_first_of(const hy_options *options, const char *const *names, size_t count) {
  for (size_t i = 0; i < options->given.count; i++)
    for (size_t k = 0; k < count; k++)
      if (strcmp(options->given.data[i], names[k]) == 0) return names[k];
  return NULL;
}

void hy_options_free(hy_options *options) {
  for (size_t i = 0; i < options->params.count; i++) free(options->params.data[i].name);
  for (size_t i = 0; i < options->images.count; i++) free(options->images.data[i].name);
  for (size_t i = 0; i < options->window.count; i++) free(options->window.data[i].name);
  for (size_t i = 0; i < options->estimates.count; i++) {
    free(options->estimates.data[i].name);
    free((char *)options->estimates.data[i].value);
  }
  hy_vec_free(&options->estimates);
  hy_vec_free(&options->params);
  hy_vec_free(&options->images);
  hy_vec_free(&options->window);
  hy_vec_free(&options->plugins);
  hy_vec_free(&options->outputs);
  hy_vec_free(&options->compared);
  hy_vec_free(&options->given);
  hy_vec_free(&options->words);
}

/* -- help -- */

enum { HELP_COLUMN = 30, HELP_WIDTH = 100 };

// Fills lines from "column" on, breaking between words.
static void add_wrapped(hy_text *out, size_t at, size_t column, const char *text) {
  for (bool first = true; *text; first = false) {
    size_t length = strcspn(text, " ");
    if (!first && at + 1 + length > HELP_WIDTH) {
      hy_text_printf(out, "\n%*s", (int)column, "");
      at = column;
    } else if (!first) {
      hy_text_add(out, " ");
      at++;
    }
    hy_text_add_bytes(out, text, length);
    at += length;
    text += length + (text[length] == ' ');
  }
  hy_text_add(out, "\n");
}

static void help_option(const hy_option_row *row, hy_text *out) {
  char form[64], letter[] = {'-', row->letter, ',', 0};
  const char *argument = row->argument ? row->argument : "";
  snprintf(form, sizeof form, "  %3s --%s%s%s", row->letter ? letter : "", row->name, argument[0] == '[' ? "" : " ",
           argument);
  hy_text_printf(out, "%-*s", HELP_COLUMN, form);
  if (strlen(form) >= HELP_COLUMN) hy_text_printf(out, "\n%*s", HELP_COLUMN, "");
  add_wrapped(out, HELP_COLUMN, HELP_COLUMN, row->meaning);
}

static bool is_one_of(const char *name, const char *const *names, size_t count) {
  for (size_t k = 0; k < count; k++)
    if (strcmp(name, names[k]) == 0) return true;
  return false;
}

void hy_help_options(hy_verb verb, const char *const *without, size_t count, hy_text *out) {
  for (int i = 0; i < OPTION_COUNT; i++)
    if (rows[i].verbs & 1u << verb && !is_one_of(rows[i].name, without, count)) help_option(&rows[i], out);
}

void hy_help_statuses(hy_verb verb, hy_text *out) {
  if (verb == HY_VERB_GATE)
    hy_text_add(out,
                "\nExit status: 0 all levels asked for passed; 1 wrong: refuted, other bytes, other outputs; 2 bad "
                "usage, or a file that\nis missing or malformed; 3 undecided; 4 a defect of Halyard; 5 slower than "
                "allowed; 6 stale: the sources are others by\nnow. The worst of 4, 1, 2, 6, 5, 3 counts.\n");
  else if (verb == HY_VERB_DIFF)
    hy_text_add(out, "\nExit status: 0 nothing changed; 1 something did; 2 bad usage, or a folder that is not what "
                     "shipped; 4 a defect "
                     "of Halyard.\n");
  else if (verb == HY_VERB_COMPLETION || verb == HY_VERB_MAN)
    hy_text_add(out, "\nExit status: 0 printed; 2 bad usage; 4 a defect of Halyard.\n");
  else if (verb == HY_VERB_FMT)
    hy_text_add(out, "\nExit status: 0 done (--check: nothing would change); 1 a file does not follow its grammar, or "
                     "--check found one that\nwould change; 2 bad usage, or a file that cannot be read or written; 4 a "
                     "defect of Halyard.\n");
  else if (verb == HY_VERB_LSP)
    hy_text_add(out, "\nExit status: 0 the client said shutdown and exit; 1 the input ended, or exit came, before "
                     "that; 2 bad usage; 4 a defect\nof Halyard.\n");
  else if (verb == HY_VERB_TUNE)
    hy_text_add(out, "\nExit status: 0 a schedule is written, and proved; 1 the algorithm is wrong; 2 bad usage, an "
                     "estimate that is missing,\nor a file that cannot be written; 3 no schedule could be proved; 4 a "
                     "defect of Halyard.\n");
  else if (verb == HY_VERB_VALIDATE)
    hy_text_add(out,
                "\nExit status: 0 sound, as far as was seen; 1 refuted; 2 bad usage, or the plug-in cannot be loaded; "
                "3 undecided;\n4 a defect of Halyard.\n");
  else
    hy_text_add(out, "\nExit status: 0 proved or ran; 1 the program, the schedule or the input is wrong, or engines "
                     "differ;\n2 bad usage or a file that cannot be read or written; 3 undecided; 4 a defect of "
                     "Halyard.\n");
}

const char hy_help_program[] =
    "A is an algorithm (.alg) or a target program (.tgt); S is a schedule file (.sched), S:NAME one of its schedules. "
    "Without S every func is computed at root, one after the other.";

// All but "gate", which may be given the sources, too.
bool hy_verb_takes_program(hy_verb verb) {
  return verb != HY_VERB_GATE && verb != HY_VERB_FMT && verbs[verb].files && strstr(verbs[verb].files, "@.alg");
}

void hy_help_verb(hy_verb verb, hy_text *out) {
  hy_text_printf(out, "halyard %s%s%s\n  ", verbs[verb].name, *verbs[verb].form ? " " : "", verbs[verb].form);
  add_wrapped(out, 2, 2, verbs[verb].meaning);
  if (verb == HY_VERB_HELP) return;
  if (hy_verb_takes_program(verb)) {
    hy_text_add(out, "\n  ");
    add_wrapped(out, 2, 2, hy_help_program);
  }
  hy_text_add(out, "\n");
  hy_help_options(verb, NULL, 0, out);
  hy_help_statuses(verb, out);
}

void hy_help_all(hy_text *out) {
  hy_text_add(out, "Halyard: algorithms and schedules, checked for all inputs, compiled and run.\n\n");
  for (int v = 0; v < HY_VERB_COUNT; v++) {
    hy_text_printf(out, "  halyard %-12s", verbs[v].name);
    add_wrapped(out, 22, 22, verbs[v].meaning);
  }
  hy_text_add(out, "  halyard --version   the versions of Halyard, Z3 and LLVM\n\n"
                   "'halyard help VERB' lists a verb's options.\n");
}
