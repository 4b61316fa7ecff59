/* How fast texts are read: words, grammar, then names, types and validity; and laid out again (halyard fmt).
 *
 *   parse_bench [MB [TURNS]]     of texts of so many megabytes (default 3), each TURNS times (default 5)
 *
 * Each figure is the text's length over the processor's time, the system's share included, from an empty context to its
 * end; of all turns the best. Each row does what the one above does, and more.
 */

#include "bench/bench.h"
#include "semantics/base/clock.h"
#include "semantics/format/format.h"
#include "semantics/schedule/directive.h"
#include "semantics/text/tokens.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- texts -- */

// A func in a line: arithmetic, calls, literals and comparisons, without comments.
static void add_line(hy_text *text, int k) {
  hy_text_printf(text, "  fun g%d(x, y) = (g%d(x, y) + g%d(x - 1, y) * 3 - %d) / 2 + min(g%d(x, y + 1), 17)", k, k - 1,
                 k - 1, k, k - 1);
  hy_text_printf(text, " + select(g%d(x, y) < 12, g%d(x, y) + 1, g%d(x, y));\n", k - 1, k - 1, k - 1);
}

// 5 x 5 weighted neighbours, over several lines.
static void add_stencil(hy_text *text, int k) {
  hy_text_printf(text, "  // What lies around each pixel of g%d, with the weights of a bell, in numbers of 32 bits.\n",
                 k - 1);
  hy_text_printf(text, "  fun wide%d(x, y) = u32(g%d(x, y)) * 36", k, k - 1);
  for (int i = 0; i < 25; i++) {
    hy_text_add(text, i % 5 ? " + " : "\n    + ");
    hy_text_printf(text, "u32(g%d(x %c %d, y %c %d)) * %d", k - 1, i % 5 < 2 ? '-' : '+', abs(i % 5 - 2),
                   i < 10 ? '-' : '+', abs(i / 5 - 2), 1 + i);
  }
  hy_text_add(text, ";\n");
}

// Updates, reductions, lets, tuples, floats.
static void add_counts(hy_text *text, int k) {
  hy_text_printf(text, "  fun counts%d(i) = {\n    u32(0); /* of each value */\n", k);
  hy_text_printf(text, "    rdom(rx = (0, in.width()), ry = (0, in.height())) in (int(in(rx, ry) >> 8))\n");
  hy_text_printf(text, "      <- counts%d(int(in(rx, ry) >> 8)) + 1 if in(rx, ry) > %d;\n  };\n", k, k % 1000);
  hy_text_printf(text, "  fun mean%d(x, y) = sum(rdom(r = (-2, 5)) in f32(wide%d(x + r, y))) / 5.0;\n", k, k);
  hy_text_printf(text, "  fun toned%d(x, y) = let e = mean%d(x, y) * 0.00390625 + gain in e / (1.0 + abs(e));\n", k, k);
}

// A member each of six, in a "for", and what joins them.
static void add_family(hy_text *text, int k) {
  hy_text_printf(text, "  /* A pyramid of six levels; the next one is half as wide and half as high. */\n");
  hy_text_printf(text, "  fun level%d[0](x, y) = toned%d(x, y);\n  for j in 1..5 {\n", k, k);
  hy_text_printf(text, "    fun across%d[j](x, y) = (level%d[j - 1](2*x, y) + level%d[j - 1](2*x + 1, y)) / 2.0;\n", k,
                 k, k);
  hy_text_printf(text, "    fun level%d[j](x, y) = (across%d[j](x, 2*y) + across%d[j](x, 2*y + 1)) / 2.0;\n  }\n", k, k,
                 k);
  hy_text_printf(text,
                 "  fun g%d(x, y) = u16_sat(clamp(toned%d(x, y) - level%d[5](x / 32, y / 32), 0.0, 1.0) * 65535.0)", k,
                 k, k);
  hy_text_printf(text, " + u16(counts%d(int(g%d(x, y) >> 8)));\n\n", k, k - 1);
}

static void add_stage(hy_text *text, int k) {
  add_stencil(text, k);
  add_counts(text, k);
  add_family(text, k);
}

static hy_text make_algorithm(size_t length, void (*add)(hy_text *text, int k)) {
  hy_text text = {0};
  hy_text_add(&text, "pipeline long(in: u16[2], gain: f32) {\n  fun g0(x, y) = in(x, y);\n");
  for (int k = 1; text.length < length; k++) add(&text, k);
  hy_text_add(&text, "}\n");
  return text;
}

static hy_text make_schedules(size_t length) {
  hy_text text = {0};
  for (int k = 0; text.length < length; k++) {
    if (k % 150 == 0) hy_text_printf(&text, "%sschedule s%d for long {\n", k ? "}\n" : "", k / 150);
    hy_text_printf(&text, "  // Tiles of g%d, on all cores.\n", k);
    hy_text_printf(&text, "  g%d.compute_root().tile(x, y, xi, yi, 64, 32).parallel(y).vectorize(xi, 16);\n", k);
    hy_text_printf(&text, "  wide%d.compute_at(g%d, x).vectorize(x, 8);\n", k, k);
  }
  hy_text_add(&text, "}\n");
  return text;
}

/* -- what is timed -- */

typedef bool reader(hy_context *context, const hy_source *source, hy_diagnostics *diagnostics);

static bool read_words(hy_context *context, const hy_source *source, hy_diagnostics *diagnostics) {
  hy_tokens tokens = {0};
  bool good = hy_lex(context, source, diagnostics, &tokens);
  hy_vec_free(&tokens);
  return good;
}

// What stands between the pipeline's braces is grammar alone: so are files to be included.
static bool read_syntax(hy_context *context, const hy_source *source, hy_diagnostics *diagnostics) {
  const char *items = strchr(source->text, '\n') + 1;
  hy_source inside = {source->name, items, source->length - (size_t)(items - source->text) - strlen("}\n")};
  return hy_parse_included_text(context, &inside, diagnostics);
}

static bool read_algorithm(hy_context *context, const hy_source *source, hy_diagnostics *diagnostics) {
  return hy_parse_alg(context, source, diagnostics) != NULL;
}

static bool read_schedules(hy_context *context, const hy_source *source, hy_diagnostics *diagnostics) {
  const struct hy_schedule *schedules;
  int count;
  return hy_parse_schedules(context, source, diagnostics, &schedules, &count);
}

static bool lay_out(hy_context *context, const hy_source *source, hy_diagnostics *diagnostics) {
  hy_text text = {0};
  bool good = hy_format(context, source, hy_language_of_text(context, source), diagnostics, &text);
  hy_text_free(&text);
  return good;
}

static double time_once(const hy_source *source, reader *read) {
  double start = hy_own_seconds();
  hy_context *context = hy_context_new();
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  if (!read(context, source, diagnostics)) bench_fail(diagnostics);
  hy_diagnostics_free(diagnostics);
  hy_context_free(context);
  return hy_own_seconds() - start;
}

static void print_rate(const char *name, const hy_source *source, int turns, reader *read) {
  double best = 0;
  for (int i = 0; i < turns; i++) {
    double seconds = time_once(source, read);
    if (!i || seconds < best) best = seconds;
  }
  printf("  %-36s %8.1f MB/s\n", name, (double)source->length / 1e6 / best);
}

static void time_algorithm(const char *name, hy_text text, int turns) {
  hy_source source = {"long.alg", hy_text_string(&text), text.length};
  printf("%s, %.1f MB\n", name, (double)source.length / 1e6);
  print_rate("words", &source, turns, read_words);
  print_rate("syntax", &source, turns, read_syntax);
  print_rate("typed and valid algorithm", &source, turns, read_algorithm);
  print_rate("laid out, read again and compared", &source, turns, lay_out);
  hy_text_free(&text);
}

static void time_schedules(hy_text text, int turns) {
  hy_source source = {"long.sched", hy_text_string(&text), text.length};
  printf("schedules, %.1f MB\n", (double)source.length / 1e6);
  print_rate("directives", &source, turns, read_schedules);
  print_rate("laid out, read again and compared", &source, turns, lay_out);
  hy_text_free(&text);
}

int main(int argc, char **argv) {
  double megabytes = argc > 1 ? atof(argv[1]) : 3;
  int turns = argc > 2 ? atoi(argv[2]) : 5;
  if (megabytes <= 0 || megabytes > 6 || turns < 1) { // more has too many funcs
    fputs("usage: parse_bench [MB, at most 6 [TURNS]]\n", stderr);
    return 2;
  }
  size_t length = (size_t)(megabytes * 1e6);
  time_algorithm("funcs of a line each", make_algorithm(length, add_line), turns);
  time_algorithm("stencils, updates, reductions, families, comments", make_algorithm(length, add_stage), turns);
  time_schedules(make_schedules(length), turns);
  return 0;
}
