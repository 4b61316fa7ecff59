// A C++ program with Halide's own buffer class and runtime header (HALIDE_ROOT/include), unchanged: query, allocate,
// run, compare.

#include "HalideBuffer.h"
#include "blur.h"

#include <cstdio>
#include <cstring>

using Image = Halide::Runtime::Buffer<uint16_t, 2>;

static int run(int width, int height) {
  Image out(width, height), in(nullptr, {0, 0});
  out.set_min(5, -3);
  if (blur(in, out) != 0) return 1; // in has no memory: a query
  in.allocate();
  in.for_each_element([&](int x, int y) { in(x, y) = static_cast<uint16_t>(x * 31 + y * 977); });
  if (blur(in, out) != 0) return 2;
  int wrong = 0;
  auto row = [&](int x, int y) { return static_cast<uint16_t>(in(x - 1, y) + in(x, y) + in(x + 1, y)) / 3; };
  out.for_each_element([&](int x, int y) {
    wrong += out(x, y) != static_cast<uint16_t>(row(x, y - 1) + row(x, y) + row(x, y + 1)) / 3;
  });
  return wrong;
}

int main() {
  const halide_filter_metadata_t *about = blur_metadata();
  bool described = std::strcmp(about->name, "blur") == 0 && about->num_arguments == 2 &&
                   about->arguments[0].kind == halide_argument_kind_input_buffer &&
                   about->arguments[1].kind == halide_argument_kind_output_buffer &&
                   about->arguments[0].type.bits == 16;
  for (int width : {1, 17, 300})
    if (int wrong = run(width, 41)) return std::printf("width %d: %d\n", width, wrong), 1;
  return described ? 0 : 1;
}
