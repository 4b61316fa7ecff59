#ifndef HY_SEMANTICS_H
#define HY_SEMANTICS_H

/* Everything that semantics/ offers; read value.h, expr.h, alg.h and tgt.h first. */

#include "semantics/alg/alg.h"
#include "semantics/alg/input.h"
#include "semantics/expr/context.h"
#include "semantics/expr/expr.h"
#include "semantics/schedule/directive.h"
#include "semantics/text/syntax.h"
#include "semantics/tgt/tgt.h"
#include "semantics/value/value.h"

#endif
