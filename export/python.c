// Halide's Python bindings: an integer makes no expression of a type by itself, hl.i64(..) and its like do.

#include "export/dialect.h"
#include "export/export.h"

#include <inttypes.h>
#include <math.h>

static const char *const taken[] = {"and",    "as",   "assert", "async",  "await",  "break",   "class",    "continue",
                                    "def",    "del",  "elif",   "else",   "except", "finally", "for",      "from",
                                    "global", "if",   "import", "in",     "is",     "lambda",  "nonlocal", "not",
                                    "or",     "pass", "raise",  "return", "try",    "while",   "with",     "yield",
                                    "None",   "True", "False",  "hl",     "float",  "build",   NULL};

static void open_cast(hy_type type, hy_text *out) {
  hy_text_printf(out, "hl.%s(", type == HY_BOOL ? "Expr" : hy_type_name(type));
}

static void open_saturating(hy_type type, hy_text *out) { hy_text_printf(out, "hl.%s_sat(", hy_type_name(type)); }

static void print_whole(hy_type type, hy_value value, hy_text *out) {
  open_cast(type, out);
  if (type == HY_BOOL)
    hy_text_add(out, value.u ? "True)" : "False)");
  else if (type == HY_U64)
    hy_text_printf(out, "%" PRIu64 ")", value.u);
  else
    hy_text_printf(out, "%" PRId64 ")", value.i);
}

static void print_floating(hy_type type, double value, hy_text *out) {
  open_cast(type, out);
  if (isnan(value))
    hy_text_add(out, "float(\"nan\"))");
  else if (isinf(value))
    hy_text_printf(out, "float(\"%sinf\"))", value < 0 ? "-" : "");
  else
    hy_text_printf(out, "float.fromhex(\"%a\"))", value);
}

static void declare(const char *kind, const char *name, hy_text *out) { hy_text_printf(out, "%s = hl.%s", name, kind); }

static void print_domain(const char *name, hy_text *out) { hy_text_printf(out, "%s = hl.RDom([", name); }

static void begin(const char *pipeline, bool is_idiomatic, hy_text *out) {
  hy_text_printf(out,
                 "# The pipeline '%s' of Halyard, for Halide's Python bindings. An int is %s.\n"
                 "import halide as hl\n\n\n"
                 "def build():\n"
                 "    \"\"\"The output, the parameters and the images, in the order of the text.%s\"\"\"\n",
                 pipeline, is_idiomatic ? "everywhere hl.Int(32)" : "hl.Int(64), in coordinates hl.Int(32)",
                 is_idiomatic ? "" : " Compile it with the target\n    feature strict_float.");
}

const hy_export_dialect hy_export_python_dialect = {
    .scope = "hl.",
    .of = ".",
    .open = "[",
    .close = "]",
    .single = "[()]",
    .tuple_open = "([",
    .tuple_close = "])",
    .param = "Param",
    .stage = "",
    .made = "",
    .in = "in_",
    .image_in_by_name = true,
    .list_open = "[",
    .list_close = "]",
    .end = "",
    .remark = "  # ",
    .negation = "hl.logical_not",
    .taken = taken,
    .open_cast = open_cast,
    .open_saturating = open_saturating,
    .whole = print_whole,
    .floating = print_floating,
    .declare = declare,
    .domain = print_domain,
    .domain_open = "(",
    .domain_close = ")",
    .domain_end = "])",
    .begin = begin,
    .result = "    return ",
    .parameters = ", [",
    .images = "], [",
    .parameter = "",
    .sides_open = "[",
    .sides_close = "]",
    .side_open = "(",
    .side_close = ")",
    .several_open = "hl.Pipeline([",
    .several_end = "])",
    .finish = "]\n\n\nif __name__ == \"__main__\":\n    build()[0].print_loop_nest()\n"};
