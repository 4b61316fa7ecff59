#ifndef HY_EXCESS_INTERNAL_H
#define HY_EXCESS_INTERNAL_H

/* The parts of excess_measure.h: the program walked once, and the points of a load counted.
 *
 *   excess_measure.c  loops and numbers, what is asked for, the verdict
 *   excess_count.c    what is read
 */

#include "halyard/excess/excess_measure.h"
#include "tape/tape.h"

enum {
  EXCESS_LEVELS = 64,           // loops and lets around a statement
  EXCESS_LOADS = 256,           // of one func
  EXCESS_EVALUATIONS = 1 << 14, // of the index of one load in some of its dimensions
  EXCESS_TABLE = 1 << 15,       // places for the points that these are
  EXCESS_BUDGET = 1 << 18,      // evaluations in all
  EXCESS_UNION = 1 << 20,       // points of a region where loads overlap
  EXCESS_WIDER = 8,             // how many times wider a window may be than the one that is looked at
};
#define EXCESS_FARTHEST (INT64_C(1) << 40) // from 0, of an end of a region or loop

// A loop or let, where all around it is in its middle iteration.
typedef struct excess_level {
  const hy_stmt *stmt;
  const hy_var *var;
  bool is_loop, runs;
  bool grows;     // its length, or a let's value, with the window
  hy_value value; // of the middle iteration
  int64_t len;    // of loops
} excess_level;

// The way to a statement.
typedef struct excess_way {
  excess_level *levels;
  int depth;
  bool runs;         // it is reached
  bool is_passed_by; // this window takes another specialization
  const hy_stmt *assign;
} excess_way;

// Dimensions of a load whose indices depend on the same loops: its points are all that each of its groups can be.
typedef struct excess_group {
  uint32_t dims;
  double count;     // of different points at most
  bool is_counted;  // exactly, and then:
  uint64_t *points; // which, each as its place in the box of the region's dimensions
  size_t point_count;
  int64_t min[HY_MAX_RANK], end[HY_MAX_RANK]; // by dimension
  bool by_values;                             // the indices depend on values
} excess_group;

typedef struct excess_load {
  const hy_asked *asked;
  const excess_way *way;
  int keep;                                   // levels around the computation
  int64_t min[HY_MAX_RANK], len[HY_MAX_RANK]; // asked for
  excess_group groups[HY_MAX_RANK];
  int group_count;
  double read; // points at most
} excess_load;

typedef struct excess_region {
  const hy_func *func;
  const excess_way *way; // to its computation
  const hy_var *loop;    // the innermost around it
  uint32_t pure;         // dimensions of which only what is read is in use
  HY_VEC(excess_load) loads;
  int64_t min[HY_MAX_RANK], len[HY_MAX_RANK];
  double points;
} excess_region;

struct hy_excess_measure {
  const hy_pipeline *pipeline;
  uint32_t symbols;
  HY_VEC(const hy_var *) vars; // inputs of every tape: the startup variables, then those of a way
  HY_VEC(hy_value) values;
  size_t startup;
  excess_way *computes; // by hy_func.index
  HY_VEC(excess_way) sites;
  uint64_t spent;                  // evaluations
  uint64_t *keys;                  // a set of points: the number of each plus 1; 0 is no point
  HY_VEC(uint64_t) points, places; // those in the set, and where their keys are
};

// The value of an expression in the middle iteration of all levels of the way. False: it is an error, or looks at
// memory.
bool hy_excess_number(hy_excess_measure *m, const excess_way *way, const hy_expr *expr, int64_t *value);
// Fills in the groups and "read".
void hy_excess_count(hy_excess_measure *m, const excess_region *region, excess_load *load);
void hy_excess_forget(excess_load *load);
// The points of all loads together. False: they are too many for such an excess, or not all are known.
bool hy_excess_union(hy_excess_measure *m, const excess_region *region, double factor, double *read);
// Between what numbers the coordinates lie that all loads read: how many those are.
int64_t hy_excess_reach(const excess_region *region, int dim);
// Fills in why, dim and step.
void hy_excess_explain(const excess_region *region, const excess_load *cause, hy_excess *excess);

#endif
