/* include "FILE";
 *
 *   include = "include" string ";"
 *
 * FILE holds items, as stand between the braces of a pipeline, and no pipeline. A path is read from the folder of the
 * text that it stands in. What has been included in a pipeline is not included again: two files may need a third.
 * Which text a path means the context knows (hy_context_use_sources); this folder opens no files.
 */

#include "semantics/text/alg_internal.h"

#include <string.h>

enum { MOST_INCLUDED = 250 };

bool hy_parser_at_include(const hy_parser *parser) { return hy_parser_at(parser, "include"); }

// The parser of the pipeline, which knows what is included so far.
static hy_parser *outermost(hy_parser *parser) {
  while (parser->includes) parser = parser->includes;
  return parser;
}

// The pipeline's own text is there from the beginning.
static bool is_there(hy_parser *all, const hy_source *source) {
  for (size_t i = 0; i < all->included.count; i++)
    if (all->included.data[i] == source) return true;
  return source == all->source;
}

static bool refuse(hy_parser *parser, hy_loc loc, const char *path, const char *why) {
  hy_report(parser->diagnostics, HY_E_INCLUDE, loc, "ALG.Expand.Include",
            "a path is read from the folder of the file that it stands in", "cannot include '%.400s': %s", path, why);
  return false;
}

static bool find(hy_parser *parser, const hy_token *written, const hy_source **found) {
  hy_parser *all = outermost(parser);
  const char *path =
      hy_arena_copy(hy_context_arena(parser->context), written->text + 1, strlen(written->text) - 2); // no quotes
  const char *why = "";
  const hy_source *source = hy_context_source(parser->context, parser->source, path, &why);
  if (!source) return refuse(parser, written->loc, path, why);
  if (is_there(all, source)) return true;
  if (!hy_parser_room(parser, all->included.count, MOST_INCLUDED, "included files in a pipeline")) return false;
  hy_vec_push(&all->included, source);
  *found = source;
  return true;
}

bool hy_parse_include(hy_parser *parser, const hy_source **found) {
  *found = NULL;
  parser->next++;
  const hy_token *written = hy_parser_peek(parser, 0);
  if (written->kind != HY_TOKEN_STRING) {
    hy_parser_unexpected(parser, "a file's name", "a file is included so: include \"curves.alg\";");
    return false;
  }
  if (parser->blocks) {
    hy_report(parser->diagnostics, HY_E_INCLUDE, written->loc, "ALG.Expand.Include",
              "write it above, among the funcs of the pipeline", "a file is not included in a 'for' or an 'if'");
    return false;
  }
  if (!find(parser, written, found)) return false;
  parser->next++;
  return hy_parser_expect(parser, ";", "after the file's name");
}
