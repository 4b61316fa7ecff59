#ifndef HY_CHAINS_H
#define HY_CHAINS_H

/* Schedules as they are typed: which call of which chain a token is in, and what stands at each place of a call's
 * arguments, by the records of directives and methods. From tokens alone.
 */

#include "lsp/outline.h"
#include "semantics/schedule/directive.h"

typedef struct hy_chain_call {
  int item;       // the first token of its item
  int func;       // the token of the chain's func; HY_NO_TOKEN: the call stands alone
  int name, open; // of the call; open: its parenthesis
  int close;      // or where the item is broken off
  int schedule;   // the token of its schedule's name
} hy_chain_call;

typedef struct hy_chains {
  const hy_outline *outline;
  HY_VEC(hy_chain_call) calls;
} hy_chains;

void hy_chains_read(const hy_outline *outline, hy_chains *chains);

// What may stand at a place of a call.
typedef enum {
  HY_SLOT_NONE,      // nothing more
  HY_SLOT_LOOP,      // of the chain's func, or f.x
  HY_SLOT_SITE,      // of the func before it, or g.x or root
  HY_SLOT_FUNC,      // one that is there
  HY_SLOT_NEW_LOOP,  // a name
  HY_SLOT_NEW_FUNC,  // a name
  HY_SLOT_DIMENSION, // of the func
  HY_SLOT_TAIL,
  HY_SLOT_TRAVERSAL,
  HY_SLOT_STORE,
  HY_SLOT_EXPR, // over parameters and boxes of images
} hy_chain_slot;

// "place": from 0, of "count" arguments.
hy_chain_slot hy_chain_slot_of(const char *call, bool in_chain, int place, int count);

// The tokens of an argument: [*from, *to). False: there are not so many.
bool hy_chain_argument(const hy_chains *chains, const hy_chain_call *call, int place, int *from, int *to);
int hy_chain_count(const hy_chains *chains, const hy_chain_call *call);
// The call whose arguments the token is in, and which of them. NULL: it is in none.
const hy_chain_call *hy_chain_at(const hy_chains *chains, int token, int *place);
// The func that it speaks of: "f", "g_3" of g[3]; of a call that stands alone that of its first argument. "": none.
const char *hy_chain_func(hy_context *context, const hy_chains *chains, const hy_chain_call *call);

// The func that is named from that token on: "f", "g_3" of g[3].
const char *hy_chain_func_at(hy_context *context, const hy_outline *outline, int token);

// A record, or a method: its form and summary. False: there is none of that name, there.
bool hy_chain_about(const char *call, bool in_chain, const char **form, const char **summary, const char **phase);

#endif
