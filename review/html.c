#include "review/review.h"

#include <string.h>

/* The same page for a browser, without anything from elsewhere: the text, and
 * the two programs in columns of their own.
 */

static void add_pre(const char *class, const char *text, size_t length, hy_text *out) {
  hy_text_printf(out, "<pre%s>", class);
  hy_text_add_html(out, text, length);
  hy_text_add(out, "</pre>\n");
}

// Lines that the other text does not have are marked.
static void add_marked(const char *text, const char *other, hy_text *out) {
  hy_text_add(out, "<td><pre>");
  for (const char *line = text; *line;) {
    size_t length = strcspn(line, "\n");
    bool found = false;
    for (const char *at = other; at && *at && !found; at += strcspn(at, "\n") + (strchr(at, '\n') != NULL))
      found = strcspn(at, "\n") == length && strncmp(at, line, length) == 0;
    hy_text_add(out, found ? "<span>" : "<mark>");
    hy_text_add_html(out, line, length);
    hy_text_add(out, found ? "</span>\n" : "</mark>\n");
    line += length + (line[length] == '\n');
  }
  hy_text_add(out, "</pre></td>");
}

static void add_programs(const hy_review *r, hy_text *out) {
  if (!r->before) return;
  hy_text_add(out, "<h2>The smallest counterexample, before and after</h2>\n<table><tr>");
  add_marked(r->before, r->after, out);
  if (r->after) add_marked(r->after, r->before, out);
  hy_text_add(out, "</tr></table>\n");
}

void hy_review_html(const hy_review *r, hy_text *out) {
  static const char *const colours[] = {"#1a7f37", "#b42318", "#9a6700"};
  hy_text text = {0};
  hy_review_text(r, &text);
  const char *line = hy_text_string(&text);
  size_t length = strcspn(line, "\n");
  hy_text_printf(out,
                 "<!DOCTYPE html>\n<html lang=\"en\"><head><meta "
                 "charset=\"utf-8\"><title>halyard validate %s</title>\n"
                 "<style>body{font:15px/1.45 "
                 "sans-serif;margin:2em;color:#1f2328}h1{color:%s;font-size:1.4em}"
                 "pre{font:13px/1.4 "
                 "monospace;margin:0;white-space:pre-wrap}table{border-collapse:collapse;"
                 "width:100%%}"
                 "td{vertical-align:top;width:50%%;border:1px solid "
                 "#d0d7de;padding:.6em}mark{background:#fff3b0}"
                 "</style></head><body>\n<h1>",
                 r->plugin->directive->name, colours[r->verdict]);
  hy_text_add_html(out, line, length);
  hy_text_add(out, "</h1>\n");
  add_programs(r, out);
  hy_text_add(out, "<h2>The whole report</h2>\n");
  add_pre("", line, strlen(line), out);
  hy_text_add(out, "</body></html>\n");
  hy_text_free(&text);
}
