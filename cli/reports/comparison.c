#include "cli/reports/comparison.h"

#include "cli/images/image.h"
#include "cli/reports/summary.h"
#include "cli/session/arguments.h"
#include "engines/engine.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const hy_loc nowhere = {0};

/* -- points -- */

// The distance of two numbers of one type; exact of integers, whose differences have 65 bits at most and of which a long
// double holds 64 with a sign. NaN: one of them is.
static long double distance(hy_value a, hy_value b) {
  long double x = hy_number_of(a), y = hy_number_of(b);
  return x == y ? 0 : fabsl(x - y); // infinities of one sign have no difference
}

// So that no point differs by more than what is told.
static double round_up(long double far) {
  double told = (double)far;
  return (long double)told < far ? nextafter(told, (double)INFINITY) : told;
}

typedef struct {
  hy_comparison *comparison;
  uint64_t numbers; // points with a distance
  long double sum;
} tally;

// Does the point differ? Takes note of the distance.
static bool look_at(tally *t, hy_value computed, hy_value expected, double tolerance) {
  if (hy_value_same(computed, expected)) { // two NaNs, too
    t->numbers += !isnan(hy_number_of(computed));
    return false;
  }
  long double far = distance(computed, expected);
  if (isnan(far)) {
    t->comparison->nans++;
    return true;
  }
  t->numbers++;
  t->sum += far;
  if (far > (long double)t->comparison->greatest) t->comparison->greatest = round_up(far);
  return far > (long double)tolerance;
}

hy_comparison hy_comparison_of(const hy_buffer *computed, const hy_buffer *expected, double tolerance) {
  HY_ASSERT(computed->type == expected->type && computed->count == expected->count);
  hy_comparison c = {.points = computed->count};
  tally t = {.comparison = &c};
  size_t bytes = hy_type_bytes(computed->type);
  for (size_t i = 0; i < computed->count; i++) {
    if (computed->errors && computed->errors[i] != HY_OK) {
      c.errors++;
      continue;
    }
    hy_value a = hy_value_load(computed->type, computed->data + i * bytes);
    hy_value b = hy_value_load(expected->type, expected->data + i * bytes);
    if (!look_at(&t, a, b, tolerance) || c.differing++) continue;
    hy_point_of(computed, i, c.point);
    c.computed = a;
    c.expected = b;
  }
  c.mean = t.numbers ? (double)(t.sum / (long double)t.numbers) : 0;
  return c;
}

/* -- the file -- */

// Files of images have no channel where there is one: (x, y, 1) is written as (x, y).
static void add_last_dimension(hy_buffer *buffer, int rank, const int64_t *len) {
  if (buffer->rank != rank - 1 || len[rank - 1] != 1) return;
  buffer->len[buffer->rank] = 1;
  buffer->stride[buffer->rank] = (int64_t)buffer->count;
  buffer->rank++;
}

static bool is_alike(const hy_buffer *buffer, const hy_output_part *part, const int64_t *len) {
  bool alike = buffer->type == part->type && buffer->rank == part->func->rank;
  for (int d = 0; alike && d < part->func->rank; d++) alike = buffer->len[d] == len[d];
  return alike;
}

static void not_alike(hy_session *s, const char *path, const hy_buffer *buffer, const hy_output_part *part,
                      const hy_input *input) {
  hy_text is = {0}, window = {0};
  hy_image_describe(buffer, &is);
  hy_window_print_of(s->alg, &s->alg->outputs[part->output], input, &window);
  bool same_kind = buffer->type == part->type && buffer->rank == part->func->rank;
  hy_report(s->diagnostics, HY_E_COMPARE_SHAPE, nowhere, NULL,
            same_kind ? "compute the window that the file was computed for: --window"
                      : "compare with a file of the output's type and rank; nothing is converted",
            "'%s' is %s, but %s is %s[%d]%s%s", path, hy_text_string(&is), part->name, hy_type_name(part->type),
            part->func->rank, window.length ? ", window " : "", hy_text_string(&window));
  hy_text_free(&is);
  hy_text_free(&window);
}

hy_buffer *hy_comparison_read(hy_session *s, const char *path, const hy_output_part *part, const hy_input *input) {
  const hy_func *func = part->func;
  const int64_t *len = input->window_len + part->first;
  hy_buffer *buffer = hy_image_read(path, s->diagnostics);
  if (!buffer) return NULL;
  add_last_dimension(buffer, func->rank, len);
  hy_image_adopt(buffer, part->type);
  if (is_alike(buffer, part, len)) {
    for (int d = 0; d < func->rank; d++) buffer->min[d] = input->window_min[part->first + d];
    return buffer;
  }
  not_alike(s, path, buffer, part, input);
  hy_buffer_free(buffer);
  return NULL;
}

/* -- what is said -- */

// The shortest decimal number that reads as this one.
static void print_tolerance(double least, hy_text *out) {
  char text[40];
  int digits = 1;
  do snprintf(text, sizeof text, "%.*g", digits, least);
  while (strtod(text, NULL) != least && digits++ < 17);
  hy_text_add(out, text);
}

static void print_first(const hy_output_part *part, const hy_comparison *c, const char *path, hy_text *out) {
  hy_text_add(out, part->name);
  hy_point_print(part->func->rank, c->point, out);
  hy_text_add(out, " is ");
  hy_value_print(c->computed, out);
  hy_text_printf(out, ", in '%s' it is ", path);
  hy_value_print(c->expected, out);
}

static void print_lines(hy_reporter *r, const hy_output_part *part, const char *path, const hy_comparison *c,
                        double tolerance) {
  uint64_t compared = c->points - c->errors;
  hy_reporter_print(r, "%s: %" PRIu64 " of %" PRIu64 " points differ from ", part->name, c->differing, compared);
  hy_reporter_plain(r, "", path, "");
  if (tolerance > 0) hy_reporter_print(r, " by more than %.9g", tolerance);
  hy_reporter_print(r, "\n  greatest difference %.9g, mean %.9g\n", c->greatest, c->mean);
  if (c->nans) hy_reporter_print(r, "  at %" PRIu64 " of them one of the two is not a number\n", c->nans);
  if (c->errors) hy_reporter_print(r, "  %" PRIu64 " more points are error values\n", c->errors);
}

static void record(hy_session *s, const hy_output_part *part, const char *path, const hy_comparison *c) {
  hy_record *record = hy_record_append(hy_reporter_record(s->reporter), "comparisons");
  hy_record_text(record, "func", part->name);
  hy_record_text(record, "file", path);
  hy_record_real(record, "tolerance", s->options.tolerance);
  hy_record_int(record, "points", (int64_t)c->points);
  hy_record_int(record, "error_values", (int64_t)c->errors);
  hy_record_int(record, "differing", (int64_t)c->differing);
  hy_record_int(record, "nans", (int64_t)c->nans);
  hy_record_real(record, "greatest_difference", c->greatest);
  hy_record_real(record, "mean_difference", c->mean);
  if (!c->differing) return;
  hy_record *first = hy_record_child(record, "first");
  hy_record_ints(first, "point", c->point, part->func->rank);
  hy_record_value(first, "computed", c->computed);
  hy_record_value(first, "in_file", c->expected);
}

hy_status hy_comparison_report(hy_session *s, const hy_output_part *part, const char *path, const hy_comparison *c) {
  print_lines(s->reporter, part, path, c, s->options.tolerance);
  record(s, part, path, c);
  if (!c->differing) return HY_STATUS_FINE;
  hy_text first = {0}, help = {0};
  print_first(part, c, path, &first);
  if (c->nans == 0 && isfinite(c->greatest)) {
    hy_text_add(&help, "they do not differ by more than --tolerance ");
    print_tolerance(c->greatest, &help);
  }
  hy_report(s->diagnostics, HY_E_RUN_DIFFERS, part->func->loc, NULL, help.length ? hy_text_string(&help) : NULL,
            "%s; %" PRIu64 " of %" PRIu64 " points differ", hy_text_string(&first), c->differing,
            c->points - c->errors);
  hy_text_free(&first);
  hy_text_free(&help);
  return HY_STATUS_WRONG;
}
