#ifndef HY_ANSWERS_H
#define HY_ANSWERS_H

/* What is asked of a text, and the answers: each in a process of its own, which ends afterwards, and whose memory ends
 * with it. Rows of methods.def name the functions.
 */

#include "lsp/documents.h"

typedef struct hy_question {
  const hy_documents *documents;
  const hy_document *document; // which is one of them
  const json_t *params;        // NULL for diagnostics
  bool related;                // the client shows related places of diagnostics
} hy_question;

typedef HY_GIVE json_t *hy_answering(const hy_question *question);

// The list of a document's diagnostics.
json_t *hy_answer_diagnostics(const hy_question *question);
#define HY_LSP_REQUEST(method, answer) hy_answering answer;
#include "lsp/methods.def"
#undef HY_LSP_REQUEST

#endif
