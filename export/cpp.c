// Halide's own language, C++: hl::cast<int64_t>(..) converts, a number of that type makes a constant.

#include "export/dialect.h"
#include "export/export.h"

#include <inttypes.h>
#include <math.h>

static const char *const taken[] = {
    "alignas",   "alignof",   "and",      "and_eq",   "asm",       "auto",          "bitand",   "bitor",
    "bool",      "break",     "build",    "case",     "catch",     "char",          "class",    "compl",
    "concept",   "const",     "continue", "decltype", "default",   "delete",        "do",       "double",
    "else",      "enum",      "explicit", "export",   "extern",    "false",         "float",    "for",
    "friend",    "goto",      "hl",       "if",       "inline",    "int",           "long",     "main",
    "mutable",   "namespace", "new",      "noexcept", "not",       "not_eq",        "nullptr",  "operator",
    "or",        "or_eq",     "private",  "program",  "protected", "public",        "register", "requires",
    "return",    "short",     "signed",   "sizeof",   "static",    "static_assert", "std",      "struct",
    "switch",    "template",  "this",     "throw",    "true",      "try",           "typedef",  "typeid",
    "typename",  "union",     "unsigned", "using",    "virtual",   "void",          "NAN",      "INFINITY",
    "INT64_MIN", "int8_t",    "int16_t",  "int32_t",  "int64_t",   "uint8_t",       "uint16_t", "uint32_t",
    "uint64_t",  "volatile",  "wchar_t",  "while",    "xor",       "xor_eq",        NULL};

static void open_cast(hy_type type, hy_text *out) {
  if (type == HY_BOOL)
    hy_text_add(out, "hl::Expr(");
  else
    hy_text_printf(out, "hl::cast<%s>(", hy_type_c(type));
}

static void open_saturating(hy_type type, hy_text *out) {
  hy_text_printf(out, "hl::saturating_cast<%s>(", hy_type_c(type));
}

static void print_whole(hy_type type, hy_value value, hy_text *out) {
  if (type == HY_BOOL)
    hy_text_printf(out, "hl::Internal::make_bool(%s)", value.u ? "true" : "false");
  else if (type == HY_U64)
    hy_text_printf(out, "hl::Expr((uint64_t)%" PRIu64 "u)", value.u);
  else if (value.i == INT64_MIN) // no literal of C++
    hy_text_add(out, "hl::Expr((int64_t)INT64_MIN)");
  else if (type == HY_I32 && value.i > INT32_MIN)
    hy_text_printf(out, "hl::Expr(%" PRId64 ")", value.i); // an int of C++
  else
    hy_text_printf(out, "hl::Expr((%s)%" PRId64 ")", hy_type_c(type), value.i);
}

static void print_floating(hy_type type, double value, hy_text *out) {
  hy_text_printf(out, "hl::Expr((%s)", hy_type_c(type));
  if (isnan(value) || isinf(value))
    hy_text_add(out, isnan(value) ? "NAN" : value < 0 ? "-INFINITY" : "INFINITY");
  else
    hy_text_printf(out, "%a", value);
  hy_text_add(out, ")");
}

static void declare(const char *kind, const char *name, hy_text *out) { hy_text_printf(out, "hl::%s %s", kind, name); }

static void print_domain(const char *name, hy_text *out) { hy_text_printf(out, "hl::RDom %s(", name); }

static void begin(const char *pipeline, bool is_idiomatic, hy_text *out) {
  hy_text_printf(out,
                 "// The pipeline '%s' of Halyard, for Halide. An int is %s. "
                 "Without arguments\n"
                 "// the program prints Halide's loop nest; with one, NAME, it writes NAME.a and NAME.h with the "
                 "function NAME, whose\n"
                 "// arguments are the parameters and the images in the order of the text, then the outputs.\n"
                 "#include <Halide.h>\n\n"
                 "#include <cmath>\n#include <cstdint>\n#include <vector>\n\n"
                 "namespace hl = Halide;\n\n"
                 "struct program {\n"
                 "    hl::Pipeline output;\n"
                 "    std::vector<hl::Argument> parameters, images;\n"
                 "};\n\n"
                 "%s"
                 "static program build() {\n",
                 pipeline, is_idiomatic ? "everywhere hl::Int(32)" : "hl::Int(64), in coordinates hl::Int(32)",
                 is_idiomatic ? "" : "// Compile it with the target feature strict_float.\n");
}

const hy_export_dialect hy_export_cpp_dialect = {
    .scope = "hl::",
    .of = "::",
    .open = "(",
    .close = ")",
    .single = "()",
    .tuple_open = "(",
    .tuple_close = ")",
    .param = "Param<>",
    .stage = "hl::Stage ",
    .made = "hl::Func ",
    .in = "in",
    .list_open = "{",
    .list_close = "}",
    .end = ";",
    .remark = " // ",
    .negation = "!",
    .taken = taken,
    .open_cast = open_cast,
    .open_saturating = open_saturating,
    .whole = print_whole,
    .floating = print_floating,
    .declare = declare,
    .domain = print_domain,
    .domain_open = "",
    .domain_close = "",
    .domain_end = ")",
    .begin = begin,
    .result = "    return {",
    .parameters = ", {",
    .images = "}, {",
    .parameter = ".parameter()",
    .sides_open = "{",
    .sides_close = "}",
    .side_open = "{",
    .side_close = "}",
    .several_open = "hl::Pipeline({",
    .several_end = "})",
    .finish = "}};\n}\n\n"
              "int main(int count, char **arguments) {\n"
              "    program made = build();\n"
              "    if (count < 2) {\n"
              "        made.output.print_loop_nest();\n"
              "        return 0;\n"
              "    }\n"
              "    std::vector<hl::Argument> all = made.parameters;\n"
              "    all.insert(all.end(), made.images.begin(), made.images.end());\n"
              "    hl::Target target = hl::get_target_from_environment().with_feature(hl::Target::StrictFloat);\n"
              "    made.output.compile_to_static_library(arguments[1], all, arguments[1], target);\n"
              "    return 0;\n"
              "}\n"};
