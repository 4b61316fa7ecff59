#include "lsp/words.h"

#include "semantics/alg/expand/expand.h"

#include <string.h>

/* -- types -- */

static void describe_type(hy_type type, hy_text *out) {
  switch (hy_type_class_of(type)) {
  case HY_CLASS_INTEGER:
    hy_text_add(out, "the whole numbers, as far as 64 bits reach: what lies outside is an arithmetic error");
    return;
  case HY_CLASS_BOOL: hy_text_add(out, "true or false"); return;
  case HY_CLASS_UNSIGNED: hy_text_printf(out, "unsigned, %d bits: it wraps around", hy_type_bits(type)); return;
  case HY_CLASS_SIGNED: hy_text_printf(out, "signed, %d bits: it wraps around", hy_type_bits(type)); return;
  case HY_CLASS_FLOAT: hy_text_printf(out, "IEEE 754, %d bits, rounded to nearest", hy_type_bits(type)); return;
  }
  HY_UNREACHABLE();
}

static bool type_at(size_t index, hy_lsp_word *word) {
  static const hy_type types[] = {
#define HY_TYPE(name, ...) HY_##name,
#include "semantics/types.def"
#undef HY_TYPE
  };
  if (index >= HY_COUNT(types)) return false;
  *word = (hy_lsp_word){.text = hy_type_name(types[index]), .kind = HY_WORD_TYPE, .places = HY_WORD_ALGORITHM};
  hy_text_printf(&word->form, "%s(a)", word->text);
  hy_text_add(&word->meaning, "a type, and the conversion to it; ");
  describe_type(types[index], &word->meaning);
  return true;
}

/* -- operators that are written as calls -- */

typedef struct {
  const char *spelling, *meaning;
  int arity, precedence;
} operator_row;

static const operator_row operators[] = {
#define HY_OP(name, spelling, arity, typing, precedence, mode, kind, errs, range, solver, rule, drawn, meaning)        \
  {spelling, meaning, arity, precedence},
#include "semantics/ops.def"
#undef HY_OP
};

static void add_arguments(hy_text *out, const char *name, int arity) {
  hy_text_printf(out, "%s(", name);
  for (int i = 0; i < arity; i++) hy_text_printf(out, "%s%c", i ? ", " : "", 'a' + i);
  hy_text_add(out, ")");
}

static bool call_at(size_t index, hy_lsp_word *word) {
  for (size_t i = 0; i < HY_COUNT(operators); i++) {
    const operator_row *row = &operators[i];
    if (row->precedence || strcmp(row->spelling, "cast") == 0 || index--) continue;
    *word = (hy_lsp_word){.text = row->spelling, .kind = HY_WORD_FUNCTION, .places = HY_WORD_BOTH};
    add_arguments(&word->form, row->spelling, row->arity);
    hy_text_add(&word->meaning, row->meaning);
    return true;
  }
  return false;
}

bool hy_words_operator(const char *text, bool is_prefix, hy_text *form, hy_text *meaning) {
  for (size_t i = 0; i < HY_COUNT(operators); i++) {
    const operator_row *row = &operators[i];
    if (!row->precedence || strcmp(row->spelling, text) != 0 || (row->arity == 1) != is_prefix) continue;
    hy_text_printf(form, is_prefix ? "%sa" : "a %s b", text);
    hy_text_add(meaning, row->meaning);
    return true;
  }
  return false;
}

/* -- forms -- */

static const char *operands_of(hy_derived derived) {
  switch (hy_derived_operands_of(derived)) {
  case HY_OPERANDS_FIXED: return "integers of a fixed width";
  case HY_OPERANDS_NARROW: return "integers of 8, 16 or 32 bits";
  case HY_OPERANDS_WHOLE: return "integers";
  case HY_OPERANDS_NUMBERS: return "numbers";
  case HY_OPERANDS_FLOATS: return "floats";
  case HY_OPERANDS_SINGLE: return "f32";
  case HY_OPERANDS_WEIGHED: return "unsigned integers of 8, 16 or 32 bits, or floats";
  case HY_OPERANDS_ALIKE: return "a type of as many bits";
  case HY_OPERANDS_PARTS: return "unsigned integers of 8, 16 or 32 bits; 2, 4 or 8 of them";
  case HY_OPERANDS_RIGHT: return "an integer, and one of half its width";
  case HY_OPERANDS_PATTERN: return "an integer of a fixed width or a float, and an int";
  }
  HY_UNREACHABLE();
}

static const char *result_of(hy_derived derived) {
  static const char *const results[] = {
      [HY_RESULT_SAME] = "the same type",
      [HY_RESULT_UNSIGNED] = "the unsigned type of that width",
      [HY_RESULT_WIDE] = "the type of twice the width",
      [HY_RESULT_WIDE_SIGNED] = "the signed type of twice the width",
  };
  hy_derived_result result = hy_derived_result_of(derived);
  return hy_derived_names_type(result) ? hy_type_name(hy_derived_type(derived, HY_INT)) : results[result];
}

static bool derived_at(size_t index, hy_lsp_word *word) {
  if (index >= HY_DERIVED_COUNT) return false;
  hy_derived derived = (hy_derived)index;
  *word = (hy_lsp_word){.text = hy_derived_name(derived), .kind = HY_WORD_FUNCTION, .places = HY_WORD_ALGORITHM};
  add_arguments(&word->form, word->text, hy_derived_arity(derived));
  hy_text_printf(&word->meaning, "of %s; gives %s", operands_of(derived), result_of(derived));
  return true;
}

static bool boundary_at(size_t index, hy_lsp_word *word) {
  if (index >= HY_BOUNDARY_COUNT) return false;
  hy_boundary boundary = (hy_boundary)index;
  *word = (hy_lsp_word){.text = hy_boundary_name(boundary), .kind = HY_WORD_FUNCTION, .places = HY_WORD_ALGORITHM};
  hy_text_printf(&word->form, "%s(f%s, (min, length), ...)(x, ...)", word->text,
                 hy_boundary_takes_value(boundary) ? ", value" : "");
  hy_text_add(&word->meaning, "a boundary condition: f, continued outside of a box (of an image its own)");
  return true;
}

static bool reduction_at(size_t index, hy_lsp_word *word) {
  if (index >= HY_REDUCTION_COUNT) return false;
  hy_reduction reduction = (hy_reduction)index;
  *word = (hy_lsp_word){.text = hy_reduction_name(reduction), .kind = HY_WORD_FUNCTION, .places = HY_WORD_ALGORITHM};
  hy_text_printf(&word->form, "%s(rdom(r = (min, length), ...) in e)", word->text);
  hy_text_add(&word->meaning, "an inline reduction: a func of its own, whose name may stand before the parenthesis");
  if (hy_reduction_keeps_where(reduction))
    hy_text_add(&word->meaning, "; its values are where the value is, and the value");
  return true;
}

/* -- words of the grammar -- */

static bool grammar_at(size_t index, hy_lsp_word *word) {
  static const struct {
    const char *text, *form, *meaning;
    unsigned places;
  } rows[] = {
#define HY_LSP_WORD(text, form, meaning, place) {text, form, meaning, HY_WORD_##place},
#include "lsp/words.def"
#undef HY_LSP_WORD
  };
  if (index >= HY_COUNT(rows)) return false;
  *word = (hy_lsp_word){.text = rows[index].text, .kind = HY_WORD_GRAMMAR, .places = rows[index].places};
  hy_text_add(&word->form, rows[index].form);
  hy_text_add(&word->meaning, rows[index].meaning);
  return true;
}

/* -- all -- */

bool hy_words_at(size_t index, hy_lsp_word *word) {
  static bool (*const tables[])(size_t, hy_lsp_word *) = {grammar_at, type_at,     call_at,
                                                          derived_at, boundary_at, reduction_at};
  for (size_t t = 0; t < HY_COUNT(tables); t++) {
    if (tables[t](index, word)) return true;
    size_t count = 0;
    while (tables[t](count, word)) count++, hy_words_free(word);
    index -= count;
  }
  return false;
}

void hy_words_free(hy_lsp_word *word) {
  hy_text_free(&word->form);
  hy_text_free(&word->meaning);
}

bool hy_words_find(const char *text, hy_lsp_word *word) {
  for (size_t i = 0; hy_words_at(i, word); i++) {
    if (strcmp(word->text, text) == 0) return true;
    hy_words_free(word);
  }
  return false;
}

bool hy_words_member(size_t index, const char **name, hy_text *form, hy_text *meaning) {
  static const char *const numbers[] = {"the least coordinate", "the length", "the greatest coordinate"};
  static const struct {
    const char *name;
    hy_box_number number;
    int dim;
  } rows[] = {
#define HY_BOX_MEMBER(spelling, number, dim) {spelling, HY_BOX_##number, dim},
#include "semantics/alg/expand/expansions.def"
#undef HY_BOX_MEMBER
  };
  if (index >= HY_COUNT(rows)) return false;
  *name = rows[index].name;
  hy_text_printf(form, rows[index].dim < 0 ? "%s(d)" : "%s()", *name);
  hy_text_printf(meaning, "%s of the image's box", numbers[rows[index].number]);
  if (rows[index].dim < 0)
    hy_text_add(meaning, " in dimension d");
  else
    hy_text_printf(meaning, " in dimension %d", rows[index].dim);
  return true;
}
