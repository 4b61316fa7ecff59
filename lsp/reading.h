#ifndef HY_READING_H
#define HY_READING_H

/* Texts as they are looked at: sources of documents and of files beside them, in one context, with diagnostics.
 *
 * Of one question, in the process that answers it: nothing is freed.
 */

#include "halyard/pipeline.h"
#include "lsp/answers.h"
#include "lsp/chains.h"

typedef struct hy_read_source {
  const hy_source *source;
  const char *uri, *path;
  hy_lines lines;
  hy_language language;
  const hy_outline *outline; // made on demand (hy_reading_outline)
  const hy_chains *chains;   // the same, of schedules
  // of an algorithm, once it was parsed
  bool was_parsed;
  const hy_alg *alg;
} hy_read_source;

typedef struct hy_lsp_reading {
  const hy_question *question;
  hy_context *context;
  hy_diagnostics *diagnostics;
  HY_VEC(hy_read_source *) sources;
  hy_read_source *own; // of the document that is asked about
} hy_lsp_reading;

void hy_reading_begin(hy_lsp_reading *reading, const hy_question *question);
// The document with another text: what it would be.
hy_read_source *hy_reading_instead(hy_lsp_reading *reading, const char *text, size_t length);
// Which of them a source is.
hy_read_source *hy_reading_of(const hy_lsp_reading *reading, const hy_source *source);
// The offset of the question's position.
size_t hy_reading_cursor(const hy_lsp_reading *reading);

// The text of the algorithm that the document's schedules for that pipeline are about: beside the document the file that
// is called alike, if its pipeline is; else one whose pipeline is called so; else the file that is called alike. As it
// is open, or else as it lies on the disk. NULL: there is none.
hy_read_source *hy_reading_algorithm(hy_lsp_reading *reading, const char *pipeline);
// The names of the pipelines that schedules of the document may be for, as items of a completion.
void hy_reading_pipelines(hy_lsp_reading *reading, json_t *list);
// Parses it, once. NULL: it has errors, which were reported into "diagnostics" the first time.
const hy_alg *hy_reading_parse(hy_lsp_reading *reading, hy_read_source *source, hy_diagnostics *diagnostics);

const hy_outline *hy_reading_outline(hy_lsp_reading *reading, hy_read_source *source);
const hy_chains *hy_reading_chains(hy_lsp_reading *reading, hy_read_source *source);

/* -- JSON of places -- */

json_t *hy_json_range(const hy_read_source *source, size_t from, size_t to);
json_t *hy_json_loc(const hy_read_source *source, hy_loc loc);      // a range
json_t *hy_json_location(const hy_read_source *source, hy_loc loc); // with its document
json_t *hy_json_text(const char *text);                             // what is not UTF-8 as \xNN

#endif
