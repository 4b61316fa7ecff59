// halyard lsp: a language server, which an editor starts.

#include "cli/verbs/verbs.h"
#include "lsp/lsp.h"

#include <unistd.h>

hy_status hy_command_lsp(hy_session *s) {
  if (s->options.words.count) {
    hy_report(s->diagnostics, HY_E_USAGE, (hy_loc){0}, NULL, "docs/editors.md says how editors are told of it",
              "'lsp' takes no files, but '%s' follows it: the editor opens them", s->options.words.data[0]);
    return HY_STATUS_USAGE;
  }
  return hy_lsp_serve(STDIN_FILENO, STDOUT_FILENO) ? HY_STATUS_FINE : HY_STATUS_WRONG;
}
