#ifndef HY_LSP_H
#define HY_LSP_H

#include <stdbool.h>

/* A language server (LSP 3.17) for algorithms, schedules and target programs.
 *
 * One process reads messages, holds the documents and writes answers (server.c). Whatever looks at a text is done in a
 * child of it that knows the documents as they were when it began (jobs.c): none can block the others, and one that
 * crashes, or takes all time and memory, is an error of its own request.
 */

// Serves a client until it says "exit" or the input ends. True: as the protocol asks, after "shutdown".
bool hy_lsp_serve(int in, int out);

#endif
