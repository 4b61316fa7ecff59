// Pipelines that are built by calls: what a call can be told by what was declared before it, by its own words, and by the
// grammar, is that call's error, and leaves the pipeline as it was; types and validity are halyard_check's.

#include "include/halyard.h"

#include "library/library_internal.h"
#include "proofs_tests/suites.h"
#include "sched/chain.h"

#include <stdio.h>
#include <string.h>

typedef struct {
  halyard_context *context;
  halyard_pipeline *p;
  halyard_func *in, *f, *pair; // of two dimensions, one, and one with two values
  halyard_expr *w, *x, *y;
  halyard_rdom *r;
  halyard_expr *rx;
} scene;

static const char text_of_scene[] = "pipeline p(in: u8[2], w: int) {\n"
                                    "  fun f(x) = {\n"
                                    "    x;\n"
                                    "    (0) <- f(1);\n"
                                    "  };\n"
                                    "  fun pair(x) = (f(x), 2 * x);\n"
                                    "}\n";

static void open_scene(scene *s) {
  *s = (scene){.context = halyard_context_new(NULL)};
  s->p = halyard_pipeline_new(s->context, "p");
  s->in = halyard_image(s->p, "in", HALYARD_U8, 2);
  s->w = halyard_param(s->p, "w", HALYARD_INT);
  s->x = halyard_var(s->p, "x"), s->y = halyard_var(s->p, "y");
  s->f = halyard_define(s->p, "f", HALYARD_LIST(s->x), s->x);
  ck_assert(halyard_update(s->f, NULL, HALYARD_LIST(0), halyard_at(s->f, 1)));
  s->pair = halyard_define_tuple(s->p, "pair", HALYARD_LIST(s->x),
                                 HALYARD_LIST(halyard_at(s->f, s->x), halyard_mul(2, s->x)));
  s->r = halyard_rdom_new(s->p);
  s->rx = halyard_range(s->r, "rx", 0, 3);
  ck_assert_ptr_null(halyard_last_error(s->context));
  ck_assert_str_eq(halyard_print_algorithm(s->p), text_of_scene);
}

static const char *error_of(const scene *s) {
  const halyard_error *e = halyard_last_error(s->context);
  return e ? halyard_error_message(e) : "no error";
}

/* -- wrong uses -- */

typedef bool attempt(scene *s); // false: it failed
#define ATTEMPT(name, ...)                                                                                             \
  static bool name(scene *s) { __VA_ARGS__ }

// operators and functions
ATTEMPT(unknown_function, return halyard_op("frob", s->x, 1);)
ATTEMPT(misspelt_function, return halyard_op("slect", halyard_lt(s->x, 1), s->x, 1);)
ATTEMPT(min_of_one, return halyard_op("min", s->x);)
ATTEMPT(abs_of_two, return halyard_op("abs", s->x, 1);)
ATTEMPT(u8_of_two, return halyard_op("u8", s->x, 1);)
ATTEMPT(clamp_of_two, return halyard_op("clamp", s->x, 1);)
ATTEMPT(absd_of_three, return halyard_op("absd", s->x, 1, 2);)
ATTEMPT(select_of_four, return halyard_op("select", halyard_lt(s->x, 1), s->x, halyard_lt(s->x, 2), s->x);)
ATTEMPT(select_of_two, return halyard_op("select", halyard_lt(s->x, 1), s->x);)
ATTEMPT(mux_of_one, return halyard_op("mux", s->x);)
ATTEMPT(plus_of_one, return halyard_op("+", s->x);)
ATTEMPT(not_of_two, return halyard_op("!", s->x, s->x);)
ATTEMPT(boundary_as_function, return halyard_op("repeat_edge", s->x);)
ATTEMPT(reduction_as_function, return halyard_op("sum", s->x);)
ATTEMPT(parameter_as_function, return halyard_op("w", s->x);)
ATTEMPT(image_as_function, return halyard_op("in", s->x);)
ATTEMPT(helper_of_one, return !halyard_func_text(s->p, "h", "def h(a, b) = a + b;") || halyard_op("h", s->x);)
// calls and parts
ATTEMPT(image_of_one, return halyard_at(s->in, s->x);)
ATTEMPT(func_of_none, return halyard_call(s->f, HALYARD_NONE);)
ATTEMPT(func_of_two, return halyard_at(s->f, s->x, s->y);)
ATTEMPT(text_of_one, halyard_func *c = halyard_func_text(s->p, "c", "fun c = repeat_edge(in);");
        return !c || halyard_at(c, s->x);)
ATTEMPT(table_of_two, halyard_func *t = halyard_func_text(s->p, "t", "const t = [1, 2, 3];");
        return !t || halyard_at(t, s->x, 1);)
ATTEMPT(constant_called, halyard_func *k = halyard_func_text(s->p, "k", "const k = 3;");
        return !k || halyard_call(k, HALYARD_NONE);)
ATTEMPT(family_called, halyard_func *g = halyard_func_text(s->p, "g", "for k in 0..2 fun g[k](x) = x + k;");
        return !g || halyard_at(g, s->x);)
ATTEMPT(part_of_one, return halyard_part(halyard_at(s->f, s->x), 0);)
ATTEMPT(third_part, return halyard_part(halyard_at(s->pair, s->x), 2);)
ATTEMPT(part_of_sum, return halyard_part(halyard_reduction("sum", s->r, s->rx), 0);)
ATTEMPT(third_of_argmin, return halyard_part(halyard_reduction("argmin", s->r, s->rx), 2);)
ATTEMPT(tuple_as_operand, return halyard_add(halyard_at(s->pair, s->x), 1);)
ATTEMPT(tuple_as_value, return halyard_define(s->p, "g", HALYARD_LIST(s->x), halyard_at(s->pair, s->x));)
ATTEMPT(argmin_as_operand, return halyard_add(halyard_reduction("argmin", s->r, s->rx), 1);)
ATTEMPT(tuple_required, return halyard_require(s->p, halyard_at(s->pair, 0));)
// names
ATTEMPT(image_twice, return halyard_image(s->p, "in", HALYARD_U8, 2);)
ATTEMPT(param_like_image, return halyard_param(s->p, "in", HALYARD_U8);)
ATTEMPT(image_like_func, return halyard_image(s->p, "f", HALYARD_U8, 1);)
ATTEMPT(param_like_dimension, return halyard_param(s->p, "x", HALYARD_INT);)
ATTEMPT(func_twice, return halyard_define(s->p, "f", HALYARD_LIST(s->x), 3);)
ATTEMPT(func_like_param, return halyard_define(s->p, "w", HALYARD_LIST(s->x), 3);)
ATTEMPT(func_like_text, return !halyard_func_text(s->p, "g", "def h(a) = a; fun g(x) = h(x);") ||
                               halyard_define(s->p, "h", HALYARD_LIST(s->x), 3);)
ATTEMPT(text_like_func, return halyard_func_text(s->p, "g", "fun f(x) = 3; fun g(x) = f(x);");)
ATTEMPT(word_as_param, return halyard_param(s->p, "select", HALYARD_INT);)
ATTEMPT(word_as_var, return halyard_var(s->p, "u8");)
ATTEMPT(word_as_func, return halyard_define(s->p, "min", HALYARD_LIST(s->x), 3);)
ATTEMPT(stage_as_var, return halyard_define(s->p, "g", HALYARD_LIST(halyard_var(s->p, "s0")), 3);)
ATTEMPT(long_name, char name[1102]; memset(name, 'n', 1101); name[1101] = 0; return halyard_var(s->p, name);)
ATTEMPT(dimension_twice, return halyard_define(s->p, "g", HALYARD_LIST(s->x, s->x), 3);)
ATTEMPT(dimension_like_param, return halyard_define(s->p, "g", HALYARD_LIST(s->w), 3);)
ATTEMPT(range_twice, return halyard_range(s->r, "rx", 0, 5);)
ATTEMPT(range_like_func, return halyard_range(s->r, "f", 0, 5);)
ATTEMPT(range_like_later_func,
        return !halyard_define(s->p, "rx", HALYARD_LIST(s->x), 3) || halyard_update(s->f, s->r, HALYARD_LIST(0), 3);)
ATTEMPT(range_like_dimension, halyard_rdom *r = halyard_rdom_new(s->p);
        return !halyard_range(r, "x", 0, 3) || halyard_update(s->f, r, HALYARD_LIST(0), 3);)
// definitions and updates
static bool nine_dimensions(scene *s) {
  halyard_operand vars[9];
  for (int i = 0; i < 9; i++) {
    char name[] = {'v', (char)('0' + i), 0};
    vars[i] = HALYARD_O(halyard_var(s->p, name));
  }
  return halyard_func_define(s->p, "g", 9, vars, HALYARD_LIST(3));
}
ATTEMPT(nine_values, halyard_operand values[9]; for (int i = 0; i < 9; i++) values[i] = HALYARD_O(i);
        return halyard_func_define(s->p, "g", HALYARD_LIST(s->x), 9, values);)
ATTEMPT(update_of_two, return halyard_update(s->f, NULL, HALYARD_LIST(s->x, 0), 3);)
ATTEMPT(update_of_none, return halyard_update(s->f, NULL, HALYARD_NONE, 3);)
ATTEMPT(update_with_two_values,
        return halyard_func_update(s->f, NULL, HALYARD_LIST(0), HALYARD_LIST(1, 2), HALYARD_ALWAYS);)
ATTEMPT(update_with_one_value, return halyard_update(s->pair, NULL, HALYARD_LIST(0), 3);)
ATTEMPT(update_with_argmin,
        return halyard_update(s->f, NULL, HALYARD_LIST(0), halyard_reduction("argmin", s->r, s->rx));)
// texts
ATTEMPT(text_of_another, return halyard_func_text(s->p, "g", "fun h(x) = 1;");)
ATTEMPT(text_of_nothing, return halyard_func_text(s->p, "g", "require w > 3;");)
ATTEMPT(text_that_parses_not, return halyard_func_text(s->p, "g", "fun g(x) = ;");)
ATTEMPT(text_of_two_pipelines, return halyard_func_text(s->p, "g", "fun g(x) = 1; } pipeline q() { fun g(x) = 1;");)
ATTEMPT(text_is_empty, return halyard_func_text(s->p, "g", "");)
ATTEMPT(text_includes, return halyard_func_text(s->p, "g", "include \"/etc/hostname\"; fun g(x) = x;");)
ATTEMPT(range_is_empty, return halyard_param_text(s->p, "q", HALYARD_INT, "in 5..1");)
ATTEMPT(range_has_no_end, return halyard_param_text(s->p, "q", HALYARD_INT, "in 5..");)
ATTEMPT(default_is_outside, return halyard_param_text(s->p, "q", HALYARD_U8, "in 1..5 = 7");)
ATTEMPT(default_is_too_large, return halyard_param_text(s->p, "q", HALYARD_U8, "= 300");)
ATTEMPT(about_has_comment, return halyard_param_text(s->p, "q", HALYARD_U8, "= 3 // and no more");)
// schedules
ATTEMPT(no_such_update, return halyard_update_directive(s->f, 2, "parallel", "x");)
ATTEMPT(no_update_at_all, return halyard_update_directive(s->pair, 1, "parallel", "x");)
ATTEMPT(no_update_in_text, halyard_func *g = halyard_func_text(s->p, "g", "fun g(x) = { 0; (0) <- 1; (1) <- 2; };");
        return !g || !halyard_update_directive(g, 2, "parallel", "x") ||
               halyard_update_directive(g, 3, "parallel", "x");)
ATTEMPT(split_of_two, return halyard_directive(s->f, "split", s->x, "a");)
ATTEMPT(split_of_six, return halyard_directive(s->f, "split", s->x, "a", "b", 8, "guard", 1);)
ATTEMPT(tile_of_five, return halyard_directive(s->f, "tile", "x", "y", "xi", "yi", 8);)
ATTEMPT(directive_like_another, return halyard_directive(s->f, "vectorise", s->x, 8);)
ATTEMPT(directive_of_halide, return halyard_directive(s->f, "gpu_tile", s->x, 8);)
ATTEMPT(tail_is_a_number, return halyard_directive(s->f, "vectorize", s->x, 8, 9);)
ATTEMPT(tail_of_tile, return halyard_directive(s->f, "tile", "x", "x", "a", "b", 8, 8, "nothing");)
ATTEMPT(tail_of_split, return halyard_directive(s->f, "split", "x", "a", "b", 8, s->x);)
ATTEMPT(vectorize_of_none, return halyard_func_schedule(s->f, 0, "vectorize", HALYARD_NONE);)
ATTEMPT(root_of_one, return halyard_directive(s->f, "compute_root", s->x);)
ATTEMPT(constant_scheduled, halyard_func *k = halyard_func_text(s->p, "k", "const k = 3;");
        return !k || halyard_func_schedule(k, 0, "compute_root", HALYARD_NONE);)
ATTEMPT(directives_parse_not, return halyard_schedule(s->p, "f.vectorize(x, 8");)
ATTEMPT(directives_end_the_schedule, return halyard_schedule(s->p, "f.vectorize(x, 8); } schedule t for p {");)
ATTEMPT(directives_are_a_file, return halyard_schedule(s->p, "schedule a for p { f.vectorize(x, 8); }");)
ATTEMPT(file_parses_not, return halyard_schedule_file(s->p, "schedule a for p { f.vectorize(x, 8) }", NULL);)
ATTEMPT(file_has_no_such, return halyard_schedule_file(s->p, "schedule a for p { } schedule b for p { }", "c");)
ATTEMPT(file_has_two, return halyard_schedule_file(s->p, "schedule a for p { } schedule b for p { }", NULL);)
ATTEMPT(file_is_for_another, return halyard_schedule_file(s->p, "schedule a for q { }", NULL);)
// boundary conditions
ATTEMPT(boundary_unknown, return halyard_boundary("repeat_edges", "c", s->in);)
ATTEMPT(boundary_null, return halyard_boundary(NULL, "c", s->in);)
ATTEMPT(boundary_name_taken, return halyard_boundary("repeat_edge", "f", s->in);)
ATTEMPT(boundary_of_func, return halyard_boundary("repeat_edge", "c", s->f);)
ATTEMPT(boundary_of_tuple, return halyard_boundary_in("repeat_edge", "c", s->pair, HALYARD_LIST(0, 3));)
ATTEMPT(boundary_of_half_a_box, return halyard_boundary_in("repeat_edge", "c", s->in, HALYARD_LIST(0, 3, 1));)
ATTEMPT(boundary_of_three, return halyard_boundary_in("repeat_edge", "c", s->in, HALYARD_LIST(0, 3, 0, 3, 0, 3));)
ATTEMPT(boundary_with_value, return halyard_func_boundary("repeat_edge", "c", s->in, HALYARD_O(3), HALYARD_NONE);)
ATTEMPT(exterior_without, return halyard_boundary("constant_exterior", "c", s->in);)
ATTEMPT(boundary_updated, halyard_func *c = halyard_boundary("repeat_edge", "c", s->in);
        return !c || halyard_update(c, NULL, HALYARD_LIST(0, 0), 3);)
ATTEMPT(boundary_of_one, halyard_func *c = halyard_boundary("repeat_edge", "c", s->in);
        return !c || halyard_at(c, s->x);)
// outputs
ATTEMPT(output_is_image, return halyard_outputs(s->p, s->in);)
ATTEMPT(output_is_name, return halyard_outputs(s->p, "f");)
ATTEMPT(output_twice, return halyard_outputs(s->p, s->f, s->pair, s->f);)
ATTEMPT(output_null, return halyard_outputs(s->p, (halyard_func *)NULL);)
ATTEMPT(output_of_another, return halyard_outputs(halyard_pipeline_new(s->context, "q"), s->f);)
ATTEMPT(outputs_null, return halyard_pipeline_outputs(s->p, 2, NULL);)
ATTEMPT(nine_outputs, halyard_operand list[9]; for (int i = 0; i < 9; i++) list[i] = HALYARD_O(s->f);
        return halyard_pipeline_outputs(s->p, 9, list);)
ATTEMPT(reduction_as_output, halyard_func *most = halyard_reduction_func(halyard_reduce("sum", "most", s->r, s->rx));
        return !most || halyard_outputs(s->p, most);)
// reductions with names
ATTEMPT(reduction_name_taken, return halyard_reduce("sum", "f", s->r, s->rx);)
ATTEMPT(reduction_name_twice,
        return !halyard_reduce("sum", "most", s->r, s->rx) || halyard_reduce("sum", "most", s->r, s->x);)
ATTEMPT(reduction_unknown, return halyard_reduce("mean", "most", s->r, s->rx);)
ATTEMPT(reduction_chooses_nothing, return halyard_reduce_if("sum", NULL, s->r, s->rx, (halyard_expr *)NULL);)
ATTEMPT(reduction_without_name, return halyard_reduction_func(halyard_reduction("sum", s->r, s->rx));)
ATTEMPT(no_reduction, return halyard_reduction_func(s->x);)
ATTEMPT(reduction_called, halyard_func *most = halyard_reduction_func(halyard_reduce("sum", "most", s->r, s->rx));
        return !most || halyard_at(most, s->x);)
ATTEMPT(reduction_updated, halyard_func *most = halyard_reduction_func(halyard_reduce("sum", "most", s->r, s->rx));
        return !most || halyard_update(most, NULL, HALYARD_LIST(0), 3);)
ATTEMPT(reduction_of_two_updates,
        halyard_func *most = halyard_reduction_func(halyard_reduce("sum", "most", s->r, s->rx));
        return !most || halyard_update_directive(most, 2, "unroll", "rx");)

#define M HALYARD_MISUSE
#define R HALYARD_REFUSED
static const struct {
  attempt *attempt;
  halyard_problem problem;
  const char *call, *message;
} rows[] = {
    {unknown_function, M, "halyard_operation", "there is no operator 'frob'"},
    {misspelt_function, M, "halyard_operation", "there is no operator 'slect': did you mean 'select'?"},
    {min_of_one, M, "halyard_operation", "'min' takes 2 operands or more, not 1"},
    {abs_of_two, M, "halyard_operation", "'abs' takes 1 operand, not 2"},
    {u8_of_two, M, "halyard_operation", "'u8' takes 1 operand, not 2"},
    {clamp_of_two, M, "halyard_operation", "'clamp' takes 3 operands, not 2"},
    {absd_of_three, M, "halyard_operation", "'absd' takes 2 operands, not 3"},
    {select_of_four, M, "halyard_operation", "'select' takes 3 operands or more, an odd number, not 4"},
    {select_of_two, M, "halyard_operation", "'select' takes 3 operands or more, an odd number, not 2"},
    {mux_of_one, M, "halyard_operation", "'mux' takes 2 operands or more, not 1"},
    {plus_of_one, M, "halyard_operation", "'+' does not take 1 operands"},
    {not_of_two, M, "halyard_operation", "'!' does not take 2 operands"},
    {boundary_as_function, M, "halyard_operation", "'repeat_edge' is a boundary condition"},
    {reduction_as_function, M, "halyard_operation", "'sum' reduces over a domain: halyard_reduction"},
    {parameter_as_function, M, "halyard_operation", "'w' is a parameter, and takes no operands"},
    {image_as_function, M, "halyard_operation", "'in' takes 2 operands, not 1"},
    {helper_of_one, M, "halyard_operation", "'h' takes 2 operands, not 1"},
    {image_of_one, M, "halyard_call", "'in' has 2 dimensions, and 1 coordinate is given"},
    {func_of_none, M, "halyard_call", "'f' has 1 dimension, and 0 coordinates are given"},
    {func_of_two, M, "halyard_call", "'f' has 1 dimension, and 2 coordinates are given"},
    {text_of_one, M, "halyard_call", "'c' has 2 dimensions, and 1 coordinate is given"},
    {table_of_two, M, "halyard_call", "'t' has 1 dimension, and 2 coordinates are given"},
    {constant_called, M, "halyard_call", "'k' is a constant: halyard_var stands for it"},
    {family_called, M, "halyard_call", "'g' is a family of funcs: give halyard_func_text the name of a member"},
    {part_of_one, M, "halyard_part", "only a call of a func of several values has parts"},
    {third_part, M, "halyard_part", "there is no part 2: 'pair' has 2 values"},
    {part_of_sum, M, "halyard_part", "only a call of a func of several values has parts"},
    {third_of_argmin, M, "halyard_part", "there is no part 2: 'argmin' has 2 values"},
    {tuple_as_operand, M, "halyard_operation", "a call of 'pair' has 2 values, and one is wanted: halyard_part"},
    {tuple_as_value, M, "halyard_func_define", "a call of 'pair' has 2 values"},
    {argmin_as_operand, M, "halyard_operation", "an 'argmin' has 2 values"},
    {tuple_required, M, "halyard_pipeline_require", "a call of 'pair' has 2 values"},
    {image_twice, M, "halyard_image", "'in' is an image already"},
    {param_like_image, M, "halyard_param", "'in' is an image already"},
    {image_like_func, M, "halyard_image", "'f' is a func already"},
    {param_like_dimension, M, "halyard_param", "'x' is a variable of a func already"},
    {func_twice, M, "halyard_func_define", "'f' is a func already"},
    {func_like_param, M, "halyard_func_define", "'w' is a parameter already"},
    {func_like_text, M, "halyard_func_define", "'h' is a helper already"},
    {text_like_func, M, "halyard_func_text", "'f' is a func already"},
    {word_as_param, M, "halyard_param", "'select' is a word of the language"},
    {word_as_var, M, "halyard_var", "'u8' is a word of the language"},
    {word_as_func, M, "halyard_func_define", "'min' is a word of the language"},
    {stage_as_var, M, "halyard_func_define", "'s0' numbers stages"},
    {long_name, M, "halyard_var", "has more than 1000 bytes"},
    {dimension_twice, M, "halyard_func_define", "dimensions 0 and 1 are both 'x'"},
    {dimension_like_param, M, "halyard_func_define", "'w' is a parameter, and cannot name a variable"},
    {range_twice, M, "halyard_rdom_range", "the domain has a variable 'rx' already"},
    {range_like_func, M, "halyard_rdom_range", "'f' is a func, and cannot name a variable"},
    {range_like_later_func, M, "halyard_func_update", "'rx' is a func, and cannot name a variable"},
    {range_like_dimension, M, "halyard_func_update", "'x' is a dimension of 'f' and a variable of the rdom"},
    {nine_dimensions, M, "halyard_func_define", "at most 8 dimensions, not 9"},
    {nine_values, M, "halyard_func_define", "at most 8 values, not 9"},
    {update_of_two, M, "halyard_func_update", "'f' has 1 dimension, and 2 coordinates are given"},
    {update_of_none, M, "halyard_func_update", "'f' has 1 dimension, and 0 coordinates are given"},
    {update_with_two_values, M, "halyard_func_update", "'f' has 1 value, and this update 2"},
    {update_with_one_value, M, "halyard_func_update", "'pair' has 2 values, and this update 1"},
    {update_with_argmin, M, "halyard_func_update", "'f' has 1 value, and this update 2"},
    {text_of_another, M, "halyard_func_text", "the text defines 'h', not 'g'"},
    {text_of_nothing, M, "halyard_func_text", "the text defines nothing, not 'g'"},
    {text_that_parses_not, R, "halyard_func_text", "the text of 'g' is refused: expected"},
    {text_of_two_pipelines, R, "halyard_func_text", "the text of 'g' is refused"},
    {text_is_empty, M, "halyard_func_text", "the text defines nothing"},
    {text_includes, R, "halyard_func_text", "the text of 'g' is refused"},
    {range_is_empty, R, "halyard_param_text", "is refused: no value lies in the range of 'q'"},
    {range_has_no_end, R, "halyard_param_text", "is refused: expected"},
    {default_is_outside, R, "halyard_param_text", "the range does not have the default of 'q'"},
    {default_is_too_large, R, "halyard_param_text", "is refused"},
    {about_has_comment, M, "halyard_param_text", "and no comment"},
    {no_such_update, M, "halyard_func_schedule", "'f' has 1 update, and no update 2"},
    {no_update_at_all, M, "halyard_func_schedule", "'pair' has 0 updates, and no update 1"},
    {no_update_in_text, M, "halyard_func_schedule", "'g' has 2 updates, and no update 3"},
    {split_of_two, M, "halyard_func_schedule", "'split' takes 4 to 5 arguments, not 2"},
    {split_of_six, M, "halyard_func_schedule", "'split' takes 4 to 5 arguments, not 6"},
    {tile_of_five, M, "halyard_func_schedule", "'tile' takes 6 to 9 arguments, not 5"},
    {directive_like_another, M, "halyard_func_schedule", "'vectorise': did you mean 'vectorize'?"},
    {directive_of_halide, M, "halyard_func_schedule",
     "not in this language: there is one device, the processor; .tile("},
    {tail_is_a_number, M, "halyard_func_schedule", "the last of 3 arguments of 'vectorize' is its tail: \"guard\""},
    {tail_of_tile, M, "halyard_func_schedule", "the last of 7 arguments of 'tile' is its tail"},
    {tail_of_split, M, "halyard_func_schedule", "the last of 5 arguments of 'split' is its tail"},
    {vectorize_of_none, M, "halyard_func_schedule", "'vectorize' takes 1 to 3 arguments, not 0"},
    {root_of_one, M, "halyard_func_schedule", "'compute_root' takes 0 arguments, not 1"},
    {constant_scheduled, M, "halyard_func_schedule", "'k' is a constant, which is not scheduled"},
    {directives_parse_not, R, "halyard_schedule", "the text is refused: expected"},
    {directives_end_the_schedule, R, "halyard_schedule", "the text is refused: expected a directive, found '}'"},
    {directives_are_a_file, R, "halyard_schedule", "the text is refused: expected '(' or '.', found 'a'"},
    {file_parses_not, R, "halyard_schedule_file", "the text is refused: expected"},
    {file_has_no_such, R, "halyard_schedule_file", "no schedule called 'c'"},
    {file_has_two, R, "halyard_schedule_file", "the text has 2 schedules"},
    {file_is_for_another, R, "halyard_schedule_file", "is for 'q', the pipeline is 'p'"},
    {boundary_unknown, M, "halyard_func_boundary", "there is no boundary condition 'repeat_edges'"},
    {boundary_null, M, "halyard_func_boundary", "the condition is NULL"},
    {boundary_name_taken, M, "halyard_func_boundary", "'f' is a func already"},
    {boundary_of_func, M, "halyard_func_boundary", "'f' is a func, which has no box of its own"},
    {boundary_of_tuple, M, "halyard_func_boundary", "'pair' has 2 values"},
    {boundary_of_half_a_box, M, "halyard_func_boundary", "min and len of each dimension, and 3 operands are given"},
    {boundary_of_three, M, "halyard_func_boundary", "the box has 3 dimensions, and 'in' 2"},
    {boundary_with_value, M, "halyard_func_boundary", "'repeat_edge' takes no value"},
    {exterior_without, M, "halyard_func_boundary", "'constant_exterior' takes a value"},
    {boundary_updated, M, "halyard_func_update", "'c' is a boundary condition: it has no updates"},
    {boundary_of_one, M, "halyard_call", "'c' has 2 dimensions, and 1 coordinate is given"},
    {output_is_image, M, "halyard_pipeline_outputs", "'in' is an image: outputs are funcs"},
    {output_is_name, M, "halyard_pipeline_outputs", "output 0 is no func"},
    {output_twice, M, "halyard_pipeline_outputs", "'f' is listed twice"},
    {output_null, M, "halyard_pipeline_outputs", "a func is NULL"},
    {output_of_another, M, "halyard_pipeline_outputs", "'f' is a func of another pipeline"},
    {outputs_null, M, "halyard_pipeline_outputs", "the list of funcs is NULL"},
    {nine_outputs, M, "halyard_pipeline_outputs", "at most 8 outputs, not 9"},
    {reduction_as_output, M, "halyard_pipeline_outputs", "'most' is an inline reduction: outputs are funcs"},
    {reduction_name_taken, M, "halyard_reduction_as", "'f' is a func already"},
    {reduction_name_twice, M, "halyard_reduction_as", "'most' is an inline reduction already"},
    {reduction_unknown, M, "halyard_reduction_as", "there is no reduction 'mean'"},
    {reduction_chooses_nothing, M, "halyard_reduction_as", "an expression is NULL"},
    {reduction_without_name, M, "halyard_reduction_func", "the reduction has no name"},
    {no_reduction, M, "halyard_reduction_func", "the expression is no reduction"},
    {reduction_called, M, "halyard_call", "is read where it stands"},
    {reduction_updated, M, "halyard_func_update", "'most' is an inline reduction: it has no updates"},
    {reduction_of_two_updates, M, "halyard_func_schedule", "'most' has 1 update, and no update 2"},
};
#undef M
#undef R

// Is what is printed a scene, but for what the attempt itself has added in a call that is right?
static bool is_scene(scene *s) {
  const char *text = halyard_print_algorithm(s->p);
  return text && strncmp(text, text_of_scene, strlen(text_of_scene) - 2) == 0;
}

START_TEST(a_call_tells_its_error) {
  scene s;
  open_scene(&s);
  ck_assert(!rows[_i].attempt(&s));
  const halyard_error *e = halyard_last_error(s.context);
  ck_assert_msg(e != NULL, "no error is told");
  ck_assert_msg(strstr(halyard_error_message(e), rows[_i].message) != NULL, "'%s'", halyard_error_message(e));
  ck_assert_str_eq(halyard_error_call(e), rows[_i].call);
  ck_assert_int_eq(halyard_error_problem(e), rows[_i].problem);
  ck_assert((halyard_error_diagnostic(e, 0) != NULL) == (rows[_i].problem == HALYARD_REFUSED));
  halyard_clear_error(s.context);
  ck_assert(is_scene(&s)); // and nothing is broken
  halyard_define(s.p, "last", HALYARD_LIST(s.x), halyard_part(halyard_at(s.pair, s.x), 1));
  const halyard_diagnostic *d = halyard_result_diagnostic(halyard_check(s.p), 0);
  ck_assert_msg(!d || d->severity != HALYARD_IS_ERROR, "%s", d ? d->text : "");
  halyard_context_free(s.context);
}
END_TEST

// Lines and columns of a refusal are those of the text that the call was given.
START_TEST(refusals_have_places) {
  scene s;
  open_scene(&s);
  ck_assert(!halyard_func_text(s.p, "g", "fun h(x) = x;\nfun g(x) = ;"));
  const halyard_diagnostic *d = halyard_error_diagnostic(halyard_last_error(s.context), 0);
  ck_assert(d && strcmp(d->file, "func") == 0 && d->line == 2 && d->column == 12);
  ck_assert(!halyard_schedule(s.p, "f.vectorize(x, 8);\nf.parallel(;"));
  d = halyard_error_diagnostic(halyard_last_error(s.context), 0);
  ck_assert(d && strcmp(d->file, "schedule") == 0 && d->line == 2 && d->column == 12);
  ck_assert(!halyard_param_text(s.p, "q", HALYARD_INT, "in 5..1"));
  d = halyard_error_diagnostic(halyard_last_error(s.context), 0);
  ck_assert(d && strcmp(d->file, "parameter") == 0 && d->line == 1 && d->column == 11);
  ck_assert_ptr_nonnull(strstr(d->text, "q: int in 5..1"));
  halyard_context_free(s.context);
}
END_TEST

/* -- what is right, and goes on -- */

START_TEST(what_is_right_is_taken) {
  scene s;
  open_scene(&s);
  halyard_expr *x = s.x;
  ck_assert(halyard_op("select", halyard_lt(x, 1), x, halyard_lt(x, 2), 3, 4));
  ck_assert(halyard_op("mux", x, 5, 6, 7) && halyard_op("clamp", x, 0, 9) && halyard_op("absd", x, 1));
  ck_assert(halyard_op("in", x, 0) && halyard_op("-", x) && halyard_op("u8", x));
  // a text may define more than the func, before it, and a member of a family
  halyard_func *g = halyard_func_text(s.p, "g", "def h(a, b) = a + b;\nconst k = 3;\nfun g(x, y) = h(x, k * y);");
  ck_assert(g && halyard_at(g, x, 1) && halyard_op("h", x, 1) && halyard_var(s.p, "k"));
  halyard_func *member = halyard_func_text(s.p, "m_1", "for i in 0..1 fun m[i](x) = x + i;");
  ck_assert(member && halyard_at(member, x));
  halyard_func *edge = halyard_func_text(s.p, "edge", "fun edge = repeat_edge(in);");
  ck_assert(edge && halyard_at(edge, x, s.w));
  halyard_func *both = halyard_func_text(s.p, "both", "fun both(x) = argmin(rdom(i = (0, 3)) in f(x + i));");
  ck_assert(both && halyard_part(halyard_at(both, x), 1) && !halyard_part(halyard_at(both, x), 2));
  halyard_clear_error(s.context);
  // an argmin alone is what a func stores
  halyard_expr *least = halyard_reduction("argmin", s.r, halyard_at(s.f, s.rx));
  halyard_func *where = halyard_define(s.p, "where", HALYARD_LIST(x), least);
  ck_assert(where && halyard_part(halyard_at(where, x), 1));
  // the name of another func's variable is free again, and so is that of a domain that nothing uses
  ck_assert(halyard_define(s.p, "y", HALYARD_LIST(x), 3));
  halyard_rdom *unused = halyard_rdom_new(s.p);
  ck_assert(halyard_range(unused, "q", 0, 3) && halyard_param(s.p, "q", HALYARD_INT));
  ck_assert(halyard_schedule(s.p, "") && halyard_schedule(s.p, "f.compute_root();\n// and no more"));
  ck_assert(halyard_directive(s.f, "split", "x", "a", "b", 8, "shift"));
  ck_assert(halyard_directive(s.f, "vectorize", "b", 4, halyard_var(s.p, "guard")));
  ck_assert(halyard_directive(s.f, "tile", "x", "y", "a", "b", "c", "d", 8, 8) &&
            halyard_directive(s.f, "parallel", "x", 8, "GuardWithIf"));
  ck_assert(halyard_func_schedule(s.f, 0, "in", HALYARD_NONE) && halyard_directive(s.f, "in", where));
  ck_assert_msg(!halyard_last_error(s.context), "%s", error_of(&s));
  halyard_context_free(s.context);
}
END_TEST

static void expect_all_built(halyard_context *c, halyard_code *code) {
  enum { W = 9 };
  int32_t data[W] = {5, -3, 8, 1, 7, 0, 2, 6, 4}, out[3][W + 4];
  halyard_buffer image = halyard_dense(data, HALYARD_I32, W, 0, 0), outputs[3];
  for (int i = 0; i < 3; i++) {
    outputs[i] = halyard_dense(out[i], HALYARD_I32, W + 4, 0, 0);
    outputs[i].min[0] = -2;
  }
  halyard_argument given[] = {HALYARD_ARGUMENT("in", &image)};
  halyard_argument filled[] = {HALYARD_ARGUMENT("f", &outputs[0]), HALYARD_ARGUMENT("g", &outputs[1]),
                               HALYARD_ARGUMENT("h", &outputs[2])};
  bool fine = halyard_realize_all(code, given, 1, filled, 3);
  ck_assert_msg(fine, "%s", halyard_error_message(halyard_last_error(c)));
  for (int at = -2; at < W + 2; at++) {
    int32_t greatest = INT32_MIN, sum = 0;
    for (int i = -2; i < 3; i++) {
      int32_t value = data[at + i < 0 ? 0 : at + i >= W ? W - 1 : at + i];
      if (value > greatest) greatest = value;
      if (i % 2) sum += value;
    }
    ck_assert_int_eq(out[0][at + 2], greatest - sum);
    ck_assert_int_eq(out[1][at + 2], (at < 0 || at >= W ? -1 : data[at]) + data[(at + 4) % 4]);
    ck_assert_int_eq(out[2][at + 2], at < 0 || at >= 2 ? 9 : data[at]);
  }
}

// Boundary conditions, reductions with names and predicates, and several outputs: the text, and what it computes.
START_TEST(all_is_built_by_calls) {
  halyard_context *c = halyard_context_new(NULL);
  halyard_pipeline *p = halyard_pipeline_new(c, "p");
  halyard_func *in = halyard_image(p, "in", HALYARD_I32, 1);
  halyard_expr *x = halyard_var(p, "x");
  halyard_func *edge = halyard_boundary("repeat_edge", "edge", in);
  halyard_func *zero = halyard_exterior("zero", in, -1);
  halyard_func *ring = halyard_boundary_in("repeat_image", "ring", edge, HALYARD_LIST(0, 4));
  halyard_func *some = halyard_exterior_in("some", edge, 9, HALYARD_LIST(halyard_image_min(in, 0), 2));
  halyard_rdom *r = halyard_rdom_new(p);
  halyard_expr *rx = halyard_range(r, "rx", -2, 5);
  halyard_expr *most = halyard_reduce("maximum", "most", r, halyard_at(edge, halyard_add(x, rx)));
  halyard_expr *odd =
      halyard_reduce_if("sum", NULL, r, halyard_at(edge, halyard_add(x, rx)), halyard_ne(halyard_mod(rx, 2), 0));
  halyard_func *f = halyard_define(p, "f", HALYARD_LIST(x), halyard_sub(most, odd));
  halyard_func *g = halyard_define(p, "g", HALYARD_LIST(x), halyard_add(halyard_at(zero, x), halyard_at(ring, x)));
  halyard_func *h = halyard_define(p, "h", HALYARD_LIST(x), halyard_at(some, x));
  ck_assert(halyard_outputs(p, h, f, g) && halyard_outputs(p, g, f, h));
  ck_assert(halyard_directive(halyard_reduction_func(most), "compute_at", f, "x"));
  ck_assert(halyard_update_directive(halyard_reduction_func(most), 1, "unroll", "rx"));
  ck_assert_str_eq(halyard_print_algorithm(p),
                   "pipeline p(in: i32[1]) -> (g, f, h) {\n"
                   "  fun edge = repeat_edge(in);\n"
                   "  fun zero = constant_exterior(in, (-1));\n"
                   "  fun ring = repeat_image(edge, (0, 4));\n"
                   "  fun some = constant_exterior(edge, 9, (in.min(0), 2));\n"
                   "  fun f(x) = maximum most(rdom(rx = ((-2), 5)) in edge(x + rx)) - sum(rdom(rx = ((-2), 5)) in "
                   "edge(x + rx) if rx % 2 != 0);\n"
                   "  fun g(x) = zero(x) + ring(x);\n"
                   "  fun h(x) = some(x);\n"
                   "}\n");
  ck_assert_str_eq(halyard_print_schedule(p),
                   "schedule s for p {\n  most.compute_at(f, x);\n  most.update(0).unroll(rx);\n}\n");
  halyard_result *result = halyard_check(p);
  const halyard_diagnostic *d = halyard_result_diagnostic(result, 0);
  ck_assert_msg(halyard_result_answer(result) == HALYARD_YES, "%s", d ? d->text : "");
  expect_all_built(c, halyard_compile(result));
  ck_assert(halyard_pipeline_outputs(p, HALYARD_NONE)); // the last one again
  ck_assert_ptr_nonnull(strstr(halyard_print_algorithm(p), "pipeline p(in: i32[1]) {"));
  halyard_context_free(c);
}
END_TEST

// An expression that is used twice is one reduction, with a name or without, as behind a let.
START_TEST(reductions_are_shared) {
  halyard_context *c = halyard_context_new(NULL);
  halyard_pipeline *p = halyard_pipeline_new(c, "p");
  halyard_func *in = halyard_image(p, "in", HALYARD_U8, 1);
  halyard_expr *x = halyard_var(p, "x"), *t1 = halyard_param(p, "t1", HALYARD_INT);
  halyard_rdom *r = halyard_rdom_new(p);
  halyard_expr *here = halyard_at(in, halyard_add(x, halyard_range(r, "k", 0, 3)));
  halyard_expr *sum = halyard_reduction("sum", r, halyard_cast(HALYARD_F32, here));
  halyard_expr *best = halyard_reduce("argmin", "best", r, here);
  halyard_expr *place = halyard_part(best, 0), *least = halyard_cast(HALYARD_INT, halyard_part(best, 1));
  ck_assert(halyard_define(p, "root", HALYARD_LIST(x), halyard_op("sqrt", halyard_mul(sum, sum))));
  halyard_func *f = halyard_define_tuple(p, "f", HALYARD_LIST(x), HALYARD_LIST(halyard_mul(place, t1), least));
  ck_assert_ptr_nonnull(f);
  halyard_func *g = halyard_define(p, "g", HALYARD_LIST(x), halyard_add(place, least));
  ck_assert(halyard_update(g, NULL, HALYARD_LIST(x), halyard_add(halyard_at(g, x), place)));
  ck_assert(halyard_func_schedule(halyard_reduction_func(best), 0, "compute_root", HALYARD_NONE));
  ck_assert_str_eq(halyard_print_algorithm(p),
                   "pipeline p(in: u8[1], t1: int) {\n"
                   "  fun root(x) = let t2 = sum(rdom(k = (0, 3)) in f32(in(x + k))) in sqrt(t2 * t2);\n"
                   "  fun f(x) = let t2 = argmin best(rdom(k = (0, 3)) in in(x + k)) in (t2[0] * t1, int(t2[1]));\n"
                   "  fun g(x) = {\n"
                   "    best(x)[0] + int(best(x)[1]);\n"
                   "    (x) <- g(x) + best(x)[0];\n"
                   "  };\n"
                   "}\n");
  ck_assert_str_eq(halyard_print_expr(halyard_add(sum, sum)),
                   "let t2 = sum(rdom(k = (0, 3)) in f32(in(x + k))) in t2 + t2");
  halyard_result *result = halyard_check(p);
  const halyard_diagnostic *d = halyard_result_diagnostic(result, 0);
  ck_assert_msg(halyard_result_answer(result) == HALYARD_YES, "%s", d ? d->text : "");
  halyard_context_free(c);
}
END_TEST

// Whoever counts arguments by the table of methods agrees with what reads them.
START_TEST(methods_take_what_they_say) {
  int least, most;
  ck_assert(hy_sched_chain_takes("split", &least, &most) && least == 4 && most == 5);
  ck_assert(hy_sched_chain_takes("store_in", &least, &most) && least == 1 && most == 1);
  ck_assert(hy_sched_chain_takes("reorder_storage", &least, &most) && least == 2 && most == HY_MAX_RANK);
  ck_assert(!hy_sched_chain_takes("swap", &least, &most) && !hy_sched_chain_takes("frob", &least, &most));
  const halyard_word *word;
  for (size_t i = 0; (word = halyard_word_at(HALYARD_METHODS, i)); i++) {
    ck_assert_msg(hy_sched_chain_takes(word->name, &least, &most), "%s", word->name);
    for (int count = least - 1; count <= most + 1; count += most - least + 2) {
      if (count < 0 || count > 20) continue;
      scene s;
      open_scene(&s);
      char text[300];
      int length = snprintf(text, sizeof text, "pair.%s(", word->name);
      for (int k = 0; k < count; k++)
        length += snprintf(text + length, sizeof text - (size_t)length, "%sx", k ? ", " : "");
      snprintf(text + length, sizeof text - (size_t)length, ");");
      ck_assert(halyard_schedule(s.p, text));
      const halyard_diagnostic *d = halyard_result_diagnostic(halyard_check(s.p), 0);
      ck_assert_msg(d && d->code == HY_E_DIRECTIVE_ARGUMENTS, "%s: %s", text, d ? d->text : "taken");
      halyard_context_free(s.context);
    }
  }
}
END_TEST

Suite *library_build_suite(void) {
  Suite *suite = suite_create("library_build");
  TCase *tests = tcase_create("library_build");
  tcase_set_timeout(tests, 60);
  tcase_add_loop_test(tests, a_call_tells_its_error, 0, HY_COUNT(rows));
  tcase_add_test(tests, refusals_have_places);
  tcase_add_test(tests, what_is_right_is_taken);
  tcase_add_test(tests, all_is_built_by_calls);
  tcase_add_test(tests, reductions_are_shared);
  tcase_add_test(tests, methods_take_what_they_say);
  suite_add_tcase(suite, tests);
  return suite;
}
