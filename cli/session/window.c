// The window: as --window says, or the largest that the inputs serve.

#include "cli/session/arguments.h"
#include "cli/session/window_start.h"

#include "engines/engine.h"
#include "engines/evaluate.h"
#include "semantics/value/value_parse.h"

#include <string.h>

static const hy_loc nowhere = {0};

/* -- as given -- */

static void print_sides(const hy_alg *alg, hy_text *out) {
  for (int d = 0; d < alg->window_rank; d++)
    hy_text_printf(out, "%s%s=MIN:LEN", d ? "," : "", alg->window_min[d]->name);
}

static hy_status wrong_side(hy_session *s, const char *format, const char *name) {
  hy_text help = {0}, message = {0};
  if (s->alg->output_count == 1) hy_text_printf(&help, "the output is '%s'; ", s->alg->output->name);
  hy_text_add(&help, "write --window ");
  print_sides(s->alg, &help);
  if (s->alg->output_count > 1) hy_text_add(&help, "; x=MIN:LEN is the x of every output that has one");
  if (s->alg->window_rank == 0) {
    hy_text_free(&help);
    hy_text_printf(&help, "the output%s no dimensions: leave --window out",
                   s->alg->output_count > 1 ? "s have" : " has");
  }
  hy_text_add(&message, format);
  hy_report(s->diagnostics, HY_E_WINDOW_ARGUMENT, nowhere, NULL, hy_text_string(&help), "%s '%s'",
            hy_text_string(&message), name);
  hy_text_free(&help);
  hy_text_free(&message);
  return HY_STATUS_USAGE;
}

static bool is_dimension(const hy_alg *alg, const char *name) {
  for (int d = 0; d < alg->window_rank; d++)
    if (strcmp(alg->window_min[d]->func->dims[alg->window_min[d]->dim], name) == 0) return true;
  return false;
}

static hy_status take_sides(hy_session *s, hy_arguments *a) {
  const hy_alg *alg = s->alg;
  for (int whole = 0; whole < 2; whole++) // x=.. first, for every output that has it, then f.x=..
    for (size_t i = 0; i < s->options.window.count; i++) {
      hy_window_side side = s->options.window.data[i];
      bool found = false;
      for (int d = 0; d < alg->window_rank; d++) {
        const hy_var *var = alg->window_min[d];
        const char *name = whole ? var->name : var->func->dims[var->dim];
        if (strcmp(name, side.name) != 0) continue;
        a->window_min[d] = side.min;
        a->window_len[d] = side.len;
        a->is_side_said[d] = found = true;
      }
      if (whole && !found && !is_dimension(alg, side.name))
        return wrong_side(s,
                          alg->output_count > 1 ? "the window speaks of a variable that no output has:"
                                                : "the window speaks of a variable that the output does not have:",
                          side.name);
    }
  return HY_STATUS_FINE;
}

// A side of which nothing is said; -1: there is none.
static int silent_side(const hy_alg *alg, const hy_arguments *a) {
  for (int d = 0; d < alg->window_rank; d++)
    if (!a->is_side_said[d]) return d;
  return -1;
}

hy_status hy_arguments_window_given(hy_session *s, hy_arguments *a) {
  hy_status status = take_sides(s, a);
  int silent = silent_side(s->alg, a);
  if (status != HY_STATUS_FINE || silent < 0) return status;
  return wrong_side(s, "the window says nothing of the output's variable", s->alg->window_min[silent]->name);
}

/* -- derived -- */

// How far an image is from containing what is needed of it, added up over sides.
static double lacking(const hy_func *image, const hy_buffer *buffer, const hy_region *region) {
  double total = 0;
  for (int d = 0; d < image->rank && !region->empty; d++) {
    double below = (double)buffer->min[d] - (double)region->min[d];
    double above = (double)region->min[d] + (double)region->len[d] - (double)buffer->min[d] - (double)buffer->len[d];
    total += (below > 0 ? below : 0) + (above > 0 ? above : 0);
  }
  return total;
}

// The same of all images and what the window needs; 0 = everything fits.
static double shortfall(const hy_tgt *filled, const hy_input *input) {
  double total = 0;
  for (int k = 0; k < filled->alg->image_count; k++) {
    const hy_func *image = filled->alg->images[k];
    hy_region region;
    if (hy_region_needed(filled, image, input, &region)) total += lacking(image, input->images[k], &region);
  }
  return total;
}

typedef struct {
  const hy_tgt *filled;
  hy_arguments *arguments;
  int dim;
  bool low;                  // which end moves inwards
  int64_t min, len;          // of that dimension before
  bool moves[HY_MAX_WINDOW]; // that dimension, and those of other outputs that move with it
} side;

static double shortfall_without(const side *s, int64_t dropped) {
  for (int d = 0; d < s->filled->alg->window_rank; d++) {
    if (!s->moves[d] || s->arguments->is_side_said[d]) continue;
    s->arguments->window_min[d] = s->min + (s->low ? dropped : 0);
    s->arguments->window_len[d] = s->len - dropped;
  }
  return shortfall(s->filled, &s->arguments->input);
}

// "together": where two outputs ask for the same of an image, neither helps alone.
static side side_of(const hy_tgt *filled, hy_arguments *a, int dim, bool low, bool together) {
  const hy_alg *alg = filled->alg;
  side s = {filled, a, dim, low, a->window_min[dim], a->window_len[dim], {0}};
  for (int d = 0; d < alg->window_rank; d++)
    s.moves[d] = d == dim || (together && alg->window_min[d]->dim == alg->window_min[dim]->dim &&
                              a->window_min[d] == s.min && a->window_len[d] == s.len);
  return s;
}

// The least k in (below, most] whose shortfall is at most "best", if the shortfall only falls on the way there.
static int64_t least_drop(const side *s, int64_t below, int64_t most, double best) {
  while (below + 1 < most) {
    int64_t middle = below + (most - below) / 2;
    if (shortfall_without(s, middle) <= best)
      most = middle;
    else
      below = middle;
  }
  return most;
}

// Drops the fewest points from one end that help as much as dropping all but one would.
static int64_t drop_plainly(const side *s) {
  double best = shortfall_without(s, s->len - 1);
  return best < shortfall_without(s, 0) ? least_drop(s, 0, s->len - 1, best) : 0;
}

// The same for schedules whose demand does not only fall when the window does (a shift tail needs a whole block): looks
// at many drops, the small ones first.
static int64_t drop_searching(const side *s) {
  double best = shortfall_without(s, 0);
  int64_t found = 0, before = 0;
  for (int64_t k = 0, tried = 0; k < s->len; tried = k, k += k < 128 ? 1 : k / 8) {
    double value = shortfall_without(s, k);
    if (value >= best) continue;
    best = value;
    found = k;
    before = tried;
  }
  return found ? least_drop(s, before, found, best) : 0;
}

static bool shrink(const hy_tgt *filled, hy_arguments *a, int64_t (*drop)(const side *), bool together) {
  int rank = filled->alg->window_rank;
  for (int round = 0; round <= rank; round++)
    for (int d = 0; d < rank; d++)
      for (int low = 1; low >= 0 && !a->is_side_said[d]; low--) {
        if (shortfall(filled, &a->input) == 0) return true;
        side s = side_of(filled, a, d, low, together);
        shortfall_without(&s, drop(&s));
      }
  return shortfall(filled, &a->input) == 0;
}

bool hy_window_shrink(const hy_tgt *filled, hy_arguments *a) {
  static const struct {
    int64_t (*drop)(const side *);
    bool together;
  } ways[] = {{drop_plainly, false}, {drop_plainly, true}, {drop_searching, false}, {drop_searching, true}};
  int rank = filled->alg->window_rank;
  int64_t min[HY_MAX_WINDOW], len[HY_MAX_WINDOW];
  if (hy_alg_nothing_asked(filled->alg, &a->input)) return true;
  memcpy(min, a->window_min, sizeof *min * (size_t)rank);
  memcpy(len, a->window_len, sizeof *len * (size_t)rank);
  for (size_t i = 0; i < HY_COUNT(ways); i++) {
    if (ways[i].together && filled->alg->output_count == 1) continue;
    memcpy(a->window_min, min, sizeof *min * (size_t)rank);
    memcpy(a->window_len, len, sizeof *len * (size_t)rank);
    if (shrink(filled, a, ways[i].drop, ways[i].together)) return true;
  }
  return false;
}

/* -- what is said where there is none -- */

// "--window x=0:40,y=0:30,c=MIN:LEN": the numbers that are known; "known" is NULL where none is
static void name_window(const hy_alg *alg, const hy_arguments *a, const bool *known, hy_text *help) {
  bool any = false;
  for (int d = 0; d < alg->window_rank; d++) any |= a->is_side_said[d];
  hy_text_add(help, any ? "write --window " : "add --window ");
  for (int d = 0; d < alg->window_rank; d++) {
    hy_text_printf(help, "%s%s=", d ? "," : "", alg->window_min[d]->name);
    if (known && known[d])
      hy_text_printf(help, "%lld:%lld", (long long)a->window_min[d], (long long)a->window_len[d]);
    else
      hy_text_add(help, "MIN:LEN");
  }
}

// The dimensions of the first output of which nothing is known.
static const hy_func *name_unknown(const hy_alg *alg, const bool *known, hy_text *names) {
  const hy_func *output = NULL;
  for (int d = 0; d < alg->window_rank; d++) {
    const hy_var *var = alg->window_min[d];
    if (known[d] || (output && output != var->func)) continue;
    output = var->func;
    hy_text_printf(names, "%s%s", names->length ? ", " : "", output->dims[var->dim]);
  }
  return output;
}

// The images that are there may still say how far the known sides can go.
static hy_status ask_for_window(hy_session *s, const hy_tgt *filled, hy_arguments *a, const bool *known) {
  hy_text help = {0}, names = {0};
  const hy_func *output = name_unknown(s->alg, known, &names);
  hy_arguments served = *a;
  served.input.window_min = served.window_min;
  served.input.window_len = served.window_len;
  name_window(s->alg, hy_window_shrink(filled, &served) ? &served : a, known, &help);
  hy_report(
      s->diagnostics, HY_E_RUN_NO_WINDOW, nowhere, NULL, hy_text_string(&help),
      "which part of '%s' to compute is not clear: no image and no bound of the schedule says how far it goes in %s",
      output->name, hy_text_string(&names));
  hy_text_free(&help);
  hy_text_free(&names);
  return HY_STATUS_USAGE;
}

// The images are too small for any window inside of the first one: says what the smallest would need.
static hy_status nothing_fits(hy_session *s, const hy_arguments *a, const hy_tgt *filled, const char *first) {
  hy_text help = {0}, window = {0};
  name_window(s->alg, a, NULL, &help);
  hy_text_add(&help, " or give larger images");
  hy_window_print(s->alg, &a->input, &window);
  hy_report(s->diagnostics, HY_E_RUN_NO_WINDOW, nowhere, NULL, hy_text_string(&help),
            "the inputs serve no part of '%s' within the window %s", s->alg->output->name, first);
  for (int k = 0; k < s->alg->image_count; k++) {
    const hy_func *image = s->alg->images[k];
    hy_region region;
    hy_text need = {0}, have = {0};
    if (!hy_region_needed(filled, image, &a->input, &region) || lacking(image, a->input.images[k], &region) == 0)
      continue;
    hy_box_print(image->rank, region.min, region.len, &need);
    hy_box_print(image->rank, a->images[k]->min, a->images[k]->len, &have);
    hy_note(s->diagnostics, HY_E_RUN_NO_WINDOW, nowhere, "even the window %s needs %s in %s, and it is %s",
            hy_text_string(&window), image->name, hy_text_string(&need), hy_text_string(&have));
    hy_text_free(&need);
    hy_text_free(&have);
  }
  hy_text_free(&help);
  hy_text_free(&window);
  return HY_STATUS_WRONG;
}

typedef struct {
  int64_t min[HY_MAX_WINDOW], len[HY_MAX_WINDOW];
} sides;

static sides sides_of(const hy_arguments *a) {
  sides window;
  memcpy(window.min, a->window_min, sizeof window.min);
  memcpy(window.len, a->window_len, sizeof window.len);
  return window;
}

static void set_sides(hy_arguments *a, const sides *window) {
  memcpy(a->window_min, window->min, sizeof window->min);
  memcpy(a->window_len, window->len, sizeof window->len);
}

// What the window begins with may be the box of a coarse image, where a finer one serves a larger window (brightness at
// each point, colours at every other).
static void grow(const hy_tgt *filled, const hy_pipeline *pipeline, hy_arguments *a) {
  bool known[HY_MAX_WINDOW];
  const sides before = sides_of(a);
  uint64_t points = hy_window_points(filled->alg, &a->input);
  hy_window_start(filled, pipeline, true, a, known);
  if (hy_window_shrink(filled, a) && hy_window_points(filled->alg, &a->input) > points) return;
  set_sides(a, &before);
}

hy_status hy_arguments_window(hy_session *s, hy_arguments *a, const hy_tgt *filled, const hy_pipeline *pipeline) {
  bool known[HY_MAX_WINDOW];
  if (s->options.window_given) {
    hy_status status = take_sides(s, a);
    if (status != HY_STATUS_FINE || silent_side(s->alg, a) < 0) return status;
    if (!filled) return hy_arguments_window_given(s, a);
  }
  if (s->alg->window_rank == 0) return HY_STATUS_FINE;
  const hy_tgt *plain = hy_session_plain(s);
  if (plain) filled = plain; // the regions of the algorithm, not of a schedule
  hy_window_start(filled, pipeline, false, a, known);
  for (int d = 0; d < s->alg->window_rank; d++)
    if (!known[d]) return ask_for_window(s, filled, a, known);
  hy_text first = {0};
  hy_window_print(s->alg, &a->input, &first);
  hy_status status = HY_STATUS_FINE;
  const sides before = sides_of(a);
  if (hy_window_shrink(filled, a))
    grow(filled, pipeline, a);
  else if (s->options.window_given)
    set_sides(a, &before); // the entry check says what is wrong with the sides that are said
  else
    status = nothing_fits(s, a, filled, hy_text_string(&first));
  hy_text_free(&first);
  return status;
}
