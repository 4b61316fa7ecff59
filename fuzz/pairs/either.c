#include "fuzz/pairs/either.h"

// Bytes that no program has.
enum { BEGIN = 1, TURN, END, NUMBER };

static void add_mark(hy_text *out, char mark) { hy_text_add_bytes(out, &mark, 1); }

void hy_either_begin(hy_text *out) { add_mark(out, BEGIN); }
void hy_either_turn(hy_text *out) { add_mark(out, TURN); }
void hy_either_end(hy_text *out) { add_mark(out, END); }
void hy_either_add_number(hy_text *out) { add_mark(out, NUMBER); }

void hy_either_add(hy_text *out, const char *forms, const char *written) {
  hy_either_begin(out);
  hy_text_add(out, forms);
  hy_either_turn(out);
  hy_text_add(out, written);
  hy_either_end(out);
}

void hy_either_numbered(const char *text, int number, hy_text *out) {
  for (; *text; text++)
    if (*text == NUMBER)
      hy_text_printf(out, "%d", number);
    else
      hy_text_add_bytes(out, text, 1);
}

void hy_either_read(const char *text, hy_wording wording, hy_text *out) {
  int depth = 0, hidden = 0; // hidden: the depth of the outermost part that belongs to the other wording; 0 = none does
  for (; *text; text++) {
    if (*text == BEGIN) depth++;
    if (*text == BEGIN || *text == TURN) {
      bool is_other = (*text == TURN) != (wording == HY_WORDING_WRITTEN_OUT);
      if (!hidden && is_other)
        hidden = depth;
      else if (hidden == depth && !is_other)
        hidden = 0;
    } else if (*text == END) {
      if (hidden == depth) hidden = 0;
      depth--;
    } else if (!hidden) {
      hy_text_add_bytes(out, text, 1);
    }
  }
  HY_ASSERT(depth == 0);
}
