// A small session with the library, again and again, each time with another request for memory refused
// (failing_malloc.c, which is loaded before the C library): every call that has none says so by an error object, the
// process never ends, and nothing is left behind. starved FIRST STEP: requests FIRST, FIRST + STEP, ... until a session
// gets all it wants.

#include <halyard.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void failing_malloc_set(long at) __attribute__((weak));
long failing_malloc_seen(void) __attribute__((weak));

static int wrong;

static void complain(long at, const char *what, const char *said) {
  printf("FAILED request %ld: %s%s%s\n", at, what, said ? ": " : "", said ? said : "");
  wrong++;
}

static halyard_pipeline *build(halyard_context *c) {
  halyard_pipeline *p = halyard_pipeline_new(c, "p");
  halyard_func *in = halyard_image(p, "in", HALYARD_U8, 1);
  halyard_expr *x = halyard_var(p, "x");
  halyard_func *f =
      halyard_define(p, "f", HALYARD_LIST(x), halyard_add(halyard_at(in, x), halyard_at(in, halyard_add(x, 1))));
  halyard_func *g = halyard_define(p, "g", HALYARD_LIST(x), halyard_add(halyard_at(f, x), 3));
  bool fine = g && halyard_update(g, NULL, HALYARD_LIST(x), halyard_mul(halyard_at(g, x), 2)) &&
              halyard_directive(g, "split", x, "xo", "xi", 4);
  return fine ? p : NULL;
}

// Did it come to its end?
static bool session(halyard_context *c) {
  uint8_t in[9] = {1, 2, 3, 4, 5, 6, 7, 8, 9}, out[8] = {0};
  halyard_buffer image = halyard_dense(in, HALYARD_U8, 9, 0, 0), output = halyard_dense(out, HALYARD_U8, 8, 0, 0);
  halyard_argument arguments[] = {HALYARD_ARGUMENT("in", &image)};
  size_t size;
  output.data = &out[7], output.stride[0] = -1; // so that it is copied
  halyard_pipeline *p = build(c);
  if (!p || !halyard_print_algorithm(p) || !halyard_schedule(p, "f.compute_at(g, xo);")) return false;
  halyard_result *r = halyard_check(p);
  if (!r || !halyard_print(r, HALYARD_STAGE_FILLED)) return false;
  if (halyard_result_answer(r) != HALYARD_YES) return printf("not proved\n"), exit(3), false;
  halyard_code *code = halyard_compile(r);
  if (!code || !halyard_realize(code, arguments, 1, &output)) return false;
  if (out[7] != 12 || out[0] != 40) return printf("wrong values\n"), exit(3), false;
  halyard_pipeline *bad = halyard_parse(c, "pipeline p() { fun f(x) = y; }");
  if (bad || halyard_error_problem(halyard_last_error(c)) != HALYARD_REFUSED) return false;
  halyard_clear_error(c);
  return halyard_header(r, "p") && halyard_object(r, "p", &size);
}

static bool try_one(long at) {
  failing_malloc_set(at);
  halyard_context *c = halyard_context_new(NULL);
  bool fine = c && session(c);
  bool starved = failing_malloc_seen() >= at;
  const halyard_error *e = halyard_last_error(c);
  if (!starved && !fine) complain(at, "a session with all its memory fails", halyard_error_message(e));
  if (starved && !fine && (!e || halyard_error_problem(e) != HALYARD_NO_MEMORY))
    complain(at, "another error than a lack of memory", halyard_error_message(e));
  failing_malloc_set(0);
  if (c && !fine) { // what failed is one object: the context goes on
    halyard_clear_error(c);
    if (!session(c)) complain(at, "the context is broken", halyard_error_message(halyard_last_error(c)));
  }
  halyard_context_free(c);
  halyard_clear_error(NULL);
  return starved;
}

static size_t in_use(void) {
  struct mallinfo2 info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

int main(int argc, char **argv) {
  if (argc != 3 || !failing_malloc_set) return 3;
  long at = atol(argv[1]), step = atol(argv[2]), tried = 0;
  for (int i = 0; i < 5; i++) try_one(i + 1); // what is made once
  size_t before = in_use();
  for (; try_one(at); at += step) tried++;
  long long left = (long long)in_use() - (long long)before;
  if (left > 40 * tried + 65536) complain(at, "memory is left behind", NULL);
  printf("%ld of %ld requests were refused in turn, %lld bytes more in use: %s\n", tried, at, left,
         wrong ? "wrong" : "fine");
  return wrong != 0;
}
