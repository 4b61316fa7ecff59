// A chain of funcs, built by a loop: each halves the distances. Of every schedule that is tried nothing remains.
//   cc -std=c11 chain.c $(pkg-config --cflags --libs halyard) -o chain && ./chain

#include <halyard.h>
#include <stdio.h>

enum { LEVELS = 6 };

static halyard_func *build(halyard_pipeline *p) {
  halyard_func *f = halyard_image(p, "in", HALYARD_F32, 1);
  halyard_expr *x = halyard_var(p, "x");
  for (int i = 0; i < LEVELS; i++) {
    char name[16];
    snprintf(name, sizeof name, "level%d", i);
    halyard_expr *near = halyard_at(f, x), *far = halyard_at(f, halyard_add(x, 1 << i));
    f = halyard_define(p, name, HALYARD_LIST(x), halyard_mul(halyard_add(near, far), 0.5));
    if (i + 1 < LEVELS) halyard_directive(f, "vectorize", x, 8);
  }
  return f;
}

int main(void) {
  halyard_context *c = halyard_context_new(NULL);
  halyard_pipeline *p = halyard_pipeline_new(c, "chain");
  halyard_func *last = build(p);
  int proved = 0;
  for (int factor = 2; factor <= 64; factor *= 2) { // what a search does
    halyard_point mark = halyard_mark(c);
    halyard_pipeline *tried = halyard_parse(c, halyard_print_algorithm(p));
    char directive[64];
    snprintf(directive, sizeof directive, "level%d.split(x, xo, xi, %d).unroll(xi);", LEVELS - 1, factor);
    halyard_schedule(tried, directive);
    proved += halyard_result_answer(halyard_check(tried)) == HALYARD_YES;
    halyard_release(c, mark); // the pipeline, its result, the text
  }
  printf("%d of 6 schedules are proved\n", proved);

  halyard_directive(last, "vectorize", "x", 8);
  float in[200], out[100];
  for (int i = 0; i < 200; i++) in[i] = (float)(i % 10);
  halyard_buffer image = halyard_dense(in, HALYARD_F32, 200, 0, 0), output = halyard_dense(out, HALYARD_F32, 100, 0, 0);
  halyard_argument arguments[] = {HALYARD_ARGUMENT("in", &image)};
  halyard_code *code = halyard_compile(halyard_check(p));
  if (!halyard_realize(code, arguments, 1, &output)) {
    fprintf(stderr, "%s\n", halyard_error_message(halyard_last_error(c)));
    return 1;
  }
  printf("out[0] is %.4f\n", out[0]);
  halyard_context_free(c);
  return 0;
}
