// A blur of 3 by 3, built, scheduled, proved for all inputs, compiled and run.
//   cc -std=c11 blur.c $(pkg-config --cflags --libs halyard) -o blur && ./blur

#include <halyard.h>
#include <stdio.h>

int main(void) {
  halyard_context *c = halyard_context_new(NULL);
  halyard_pipeline *p = halyard_pipeline_new(c, "blur");
  halyard_func *in = halyard_image(p, "in", HALYARD_U16, 2);
  halyard_expr *x = halyard_var(p, "x"), *y = halyard_var(p, "y");

  halyard_func *bh = halyard_define(p, "bh", HALYARD_LIST(x, y), halyard_div(halyard_add(
      halyard_at(in, halyard_sub(x, 1), y), halyard_at(in, x, y), halyard_at(in, halyard_add(x, 1), y)), 3));
  halyard_func *bv = halyard_define(p, "bv", HALYARD_LIST(x, y), halyard_div(halyard_add(
      halyard_at(bh, x, halyard_sub(y, 1)), halyard_at(bh, x, y), halyard_at(bh, x, halyard_add(y, 1))), 3));

  halyard_directive(bv, "tile", x, y, "xi", "yi", 256, 32);
  halyard_directive(bv, "parallel", y);
  halyard_directive(bv, "vectorize", "xi", 16);
  halyard_directive(bh, "compute_at", bv, x);
  halyard_directive(bh, "vectorize", x, 16);

  halyard_result *result = halyard_check(p);
  const halyard_diagnostic *d;
  for (size_t i = 0; (d = halyard_result_diagnostic(result, i)); i++) fputs(d->text, stderr);

  enum { W = 640, H = 480 };
  static uint16_t pixels[H + 2][W + 2], blurred[H][W];
  for (int j = 0; j < H + 2; j++)
    for (int i = 0; i < W + 2; i++) pixels[j][i] = (uint16_t)(i * j);
  halyard_buffer image = halyard_dense(pixels, HALYARD_U16, W + 2, H + 2, 0);
  halyard_buffer output = halyard_dense(blurred, HALYARD_U16, W, H, 0);
  image.min[0] = image.min[1] = -1; // its first element is in(-1, -1)

  halyard_code *code = halyard_compile(result);
  halyard_argument arguments[] = {HALYARD_ARGUMENT("in", &image)};
  if (!halyard_realize(code, arguments, 1, &output)) {
    const halyard_error *e = halyard_last_error(c);
    fprintf(stderr, "%s: %s\n", halyard_error_call(e), halyard_error_message(e));
    return 1;
  }
  printf("blurred[100][200] is %d\n", blurred[100][200]);
  halyard_context_free(c); // and everything that belongs to it
  return 0;
}
