#ifndef HY_SEMANTICS_H
#define HY_SEMANTICS_H

/* Everything that semantics/ offers; read value.h, expr.h, alg.h and tgt.h first. */

#include "semantics/alg.h"
#include "semantics/context.h"
#include "semantics/directive.h"
#include "semantics/expr.h"
#include "semantics/input.h"
#include "semantics/syntax.h"
#include "semantics/tape.h"
#include "semantics/tgt.h"
#include "semantics/value.h"

#endif
