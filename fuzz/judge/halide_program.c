// A finding of lane "halide" as a program of Python that needs nothing else than Halide: the exported pair, one of its
// inputs, what the algorithm means, and a comparison.

#include "fuzz/judge/judge_internal.h"

#include "export/export.h"
#include "halide/worker.h"
#include "plugin/plugin.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static void print_number(hy_value v, hy_text *out) {
  double f = hy_value_to_double(v);
  if (v.error != HY_OK)
    hy_text_add(out, "None");
  else if (v.type == HY_BOOL)
    hy_text_add(out, v.u ? "True" : "False");
  else if (hy_type_class_of((hy_type)v.type) == HY_CLASS_UNSIGNED)
    hy_text_printf(out, "%" PRIu64, v.u);
  else if (hy_type_class_of((hy_type)v.type) != HY_CLASS_FLOAT)
    hy_text_printf(out, "%" PRId64, v.i);
  else if (isfinite(f))
    hy_text_printf(out, "float.fromhex(\"%a\")", f);
  else
    hy_text_printf(out, "float(\"%s\")", isnan(f) ? "nan" : f > 0 ? "inf" : "-inf");
}

static void print_numbers(const int64_t *numbers, int count, hy_text *out) {
  hy_text_add(out, "[");
  for (int i = 0; i < count; i++) hy_text_printf(out, "%s%" PRId64, i ? ", " : "", numbers[i]);
  hy_text_add(out, "]");
}

static void print_elements(const hy_buffer *b, hy_text *out) {
  size_t size = hy_type_bytes(b->type);
  hy_text_add(out, "[");
  for (size_t i = 0; i < b->count; i++) {
    hy_error error = b->errors ? (hy_error)b->errors[i] : HY_OK;
    if (i) hy_text_add(out, ", ");
    print_number(error ? hy_value_error(b->type, error) : hy_value_load(b->type, b->data + i * size), out);
  }
  hy_text_add(out, "]");
}

// "[min], [len], [elements]", the first dimension running fastest.
static void print_buffer(const hy_buffer *b, hy_text *out) {
  print_numbers(b->min, b->rank, out);
  hy_text_add(out, ", ");
  print_numbers(b->len, b->rank, out);
  hy_text_add(out, ",\n     ");
  print_elements(b, out);
}

static const char body[] =
    "def points(least, lengths):\n"
    "    sides = [range(m, m + n) for m, n in zip(least, lengths)]\n"
    "    return [tuple(reversed(p)) for p in itertools.product(*reversed(sides))]\n\n\n"
    "def make_buffer(kind, least, lengths):\n"
    "    buffer = hl.Buffer(kind, [max(n, 1) for n in lengths])\n"
    "    if lengths:\n"
    "        buffer.set_min(least)\n"
    "    for d, n in enumerate(lengths):\n"
    "        if n == 0:\n"
    "            buffer.crop(d, least[d], 0)  # one that lies nowhere would ask for bounds\n"
    "    return buffer\n\n\n"
    "def differ(got, expected):\n"
    "    \"\"\"Bit for bit, but for what a NaN holds.\"\"\"\n"
    "    if got != got or expected != expected:\n"
    "        return (got == got) != (expected == expected)\n"
    "    return got != expected or math.copysign(1, got) != math.copysign(1, expected)\n\n\n"
    "def compare(name, result, least, lengths, elements):\n"
    "    wrong = 0\n"
    "    for point, expected in zip(points(least, lengths), elements):\n"
    "        got = result[list(point)]\n"
    "        if expected is not None and differ(got, expected):\n"
    "            wrong += 1\n"
    "            print(\"%s%s: expected %s, got %s\" % (name, point, expected, got))\n"
    "    print(\"%s: %d of %d points differ\" % (name, wrong, len(elements)))\n"
    "    return wrong\n\n\n"
    "def main():\n"
    "    output, params, images = build()\n"
    "    for param, value in zip(params, PARAMS):\n"
    "        param.set(value)\n"
    "    for image, (least, lengths, elements) in zip(images, IMAGES):\n"
    "        buffer = make_buffer(image.type(), least, lengths)\n"
    "        for point, element in zip(points(least, lengths), elements):\n"
    "            buffer[list(point)] = element\n"
    "        image.set(buffer)\n"
    "    results = [make_buffer(kind, least, lengths) for _, kind, least, lengths, _ in EXPECTED]\n"
    "    output.realize(results if len(results) > 1 else results[0], hl.Target(TARGET))\n"
    "    wrong = sum(compare(e[0], result, *e[2:]) for e, result in zip(EXPECTED, results))\n"
    "    sys.exit(wrong > 0)\n\n\n"
    "if __name__ == \"__main__\":\n"
    "    main()\n";

static const char *type_of(hy_type type) {
  static const char *const names[] = {
      [HY_BOOL] = "hl.Bool()",   [HY_INT] = "hl.Int(64)", [HY_I64] = "hl.Int(64)",   [HY_I32] = "hl.Int(32)",
      [HY_I16] = "hl.Int(16)",   [HY_I8] = "hl.Int(8)",   [HY_U64] = "hl.UInt(64)",  [HY_U32] = "hl.UInt(32)",
      [HY_U16] = "hl.UInt(16)",  [HY_U8] = "hl.UInt(8)",  [HY_F32] = "hl.Float(32)", [HY_F64] = "hl.Float(64)",
      [HY_F16] = "hl.Float(16)", [HY_BF16] = NULL}; // the bindings have none
  return names[type];
}

static void print_data(const hy_judging *g, const hy_buffer *want, hy_text *out) {
  hy_text_printf(out, "TARGET = \"%s\"\nPARAMS = [", hy_halide_target());
  for (int p = 0; p < g->pipeline.alg->param_count; p++) {
    if (p) hy_text_add(out, ", ");
    print_number(g->params[p], out);
  }
  hy_text_add(out, "]\nIMAGES = [  # least coordinates, lengths, elements\n");
  for (int k = 0; k < g->pipeline.alg->image_count; k++) {
    hy_text_add(out, "    (");
    print_buffer(g->images[k], out);
    hy_text_add(out, "),\n");
  }
  hy_text_add(out, "]\nEXPECTED = [  # of each value of each output; None: not compared\n");
  for (int k = 0; want; k++, want = want->next) {
    hy_text_printf(out, "    (\"%s\", %s, ", g->pipeline.alg->parts[k].name, type_of(want->type));
    print_buffer(want, out);
    hy_text_add(out, "),\n");
  }
  hy_text_add(out, "]\n\n\n");
}

static bool print_program(hy_judging *g, int index, hy_text *out) {
  hy_case_input input = hy_judging_widened(g, &g->c->inputs[index]);
  hy_outcome want = {0};
  bool good = hy_judging_open(g, g->pipeline.filled, &input);
  if (good) want = hy_engine_alg(g->context, g->pipeline.meaning, &g->input, false, HY_RUN_STEPS);
  good = good && want.status == HY_RAN;
  if (good) {
    hy_text program = {0};
    good = hy_export(&hy_export_python_dialect, HY_EXPORT_EXACT, g->pipeline.alg, g->pipeline.core,
                     g->pipeline.core_count, &program, g->said);
    char *end = good ? strstr(program.data, "if __name__") : NULL;
    if (end) *end = 0;
    hy_text_add(out, "import itertools\nimport math\nimport sys\n\n");
    if (good) hy_text_add(out, program.data);
    print_data(g, want.output, out);
    hy_text_add(out, body);
    hy_text_free(&program);
  }
  hy_outcome_free(&want);
  hy_judging_close(g);
  return good;
}

bool hy_judge_halide_program(const hy_case *c, int index, hy_text *out) {
  hy_judgement judgement = {.step = -1, .directive = HY_NO_DIRECTIVE};
  hy_judging g = {.c = c, .j = &judgement, .context = hy_context_new(), .said = hy_diagnostics_new()};
  hy_source sources[2] = {{0}};
  hy_plugins_use(g.context, c->plugins);
  bool good = index < c->input_count && hy_judging_parse(g.context, c->alg, c->items, sources, &g.pipeline, g.said) &&
              hy_pipeline_schedule(&g.pipeline, g.said) && hy_pipeline_fill(&g.pipeline, g.said) &&
              print_program(&g, index, out);
  hy_diagnostics_free(g.said);
  hy_context_free(g.context);
  free((char *)sources[1].text);
  return good;
}
