#ifndef HY_SEMANTICS_H
#define HY_SEMANTICS_H

/* Everything that semantics/ offers, in the order in which to read it. */

#include "semantics/value.h"
#include "semantics/context.h"
#include "semantics/expr.h"
#include "semantics/alg.h"
#include "semantics/tgt.h"
#include "semantics/input.h"
#include "semantics/syntax.h"
#include "semantics/directive.h"
#include "semantics/tape.h"

#endif
