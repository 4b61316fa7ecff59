#ifndef HY_VERBS_H
#define HY_VERBS_H

/* The verbs, one file each: HY_STATUS_FINE or what went wrong, which is reported. */

#include "cli/session/session.h"

// What to write where a run does not fit into memory; the window may not be the caller's to choose.
#define HY_HELP_STORE_LESS "store less at a time: compute_at further inside, a smaller align_storage or fold_storage"
#define HY_HELP_WITH_MEMORY "compute a smaller --window, or " HY_HELP_STORE_LESS

hy_status hy_command_run(hy_session *session);
hy_status hy_command_check(hy_session *session);
hy_status hy_command_verify(hy_session *session);
hy_status hy_command_show(hy_session *session);
hy_status hy_command_bench(hy_session *session);
hy_status hy_command_build(hy_session *session);
hy_status hy_command_ship(hy_session *session);
hy_status hy_command_gate(hy_session *session);
hy_status hy_command_export(hy_session *session);
hy_status hy_command_diff(hy_session *session);
hy_status hy_command_directives(hy_session *session);
hy_status hy_command_fuzz(hy_session *session);
hy_status hy_command_replay(hy_session *session);
hy_status hy_command_reduce(hy_session *session);
struct hy_halide;
hy_status hy_command_choices(hy_session *session, unsigned lanes, struct hy_halide *halide); // fuzz --choices
hy_status hy_command_validate(hy_session *session);
hy_status hy_command_tune(hy_session *session);
hy_status hy_command_fmt(hy_session *session);
hy_status hy_command_lsp(hy_session *session);
hy_status hy_command_completion(hy_session *session);
hy_status hy_command_man(hy_session *session);

#endif
