#include "oracle/prover/evaluate.h"
#include "oracle/prover/prover.h"
#include "proofs_tests/suites.h"
#include "proofs_tests/unit/oracle/oracle_questions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *facts, *goal;
} row;

/* -- goals that follow -- */

#define SPLIT256 "m <= x; x < m + len; len >= 1; "
#define TILES                                                                                                          \
  "p >= 1; 0 <= t; t < p*q; 0 <= u; u < p*q; 0 <= a; a < 64; 0 <= b; b < 64; 0 <= c; c < 64; 0 <= d; d < 64; "         \
  "m + 64*(t % p) + a == m + 64*(u % p) + b; n + 64*(t / p) + c == n + 64*(u / p) + d; "
#define SPLITF "f >= 1; m <= x; x < m + len; "

static const row proved[] = {
    // the points of a fused nest: the inner length is a quotient, whose sign is what the product needs
    {"y >= m; y < m + n; x >= a; x < a + l; l >= 1; o == (x - a) / 4; t == (y - m) * ((l + 3) / 4) + o",
     "t < n * ((l + 3) / 4)"},
    {"y >= m; y < m + n; x >= a; x < a + l; l >= 1; o == (x - a) / 4; t == (y - m) * ((l + 3) / 4) + o", "t >= 0"},
    // one fact, or what an atom is
    {"y <= 3*x + 4", "x/2 + y <= x/2 + 3*x + 4"},
    {"", "min(x, y) - x <= 0"},
    {"", "7*(x/7) <= x"},
    {"x <= y", "2*(x/2) <= y"},
    {"x <= y", "x - 6 <= 7*(y/7)"},
    // plain linear arithmetic
    {"", "1 < 2"},
    {"", "x <= x"},
    {"", "x - 1 < x"},
    {"a <= b; b <= c", "a <= c"},
    {"a < b; b < c", "a + 2 <= c"},
    {"a <= b; c <= d", "a + c <= b + d"},
    {"x >= 0; y >= 0", "2*x + 3*y >= 0"},
    {"x + y == 10; x - y == 4", "x == 7"},
    {"x + y == 10; x - y == 4", "x == 7 && y == 3"},
    {"x >= 5", "x != 4"},
    {"x != 3; x >= 3", "x >= 4"},
    {"x > 3 || x < 0; x >= 0", "x >= 4"},
    {"!(x < 3)", "x >= 3"},
    {"a == b", "b == a"},
    {"a == b; b == c", "2*a - c == b"},
    {"m == 3; x < m", "x <= 2"},
    {"0 > 1", "x == y"},
    {"x >= 1; x <= 0", "y < z"},
    // whole numbers
    {"2*w + 1 >= 0", "w >= 0"},
    {"2*x == y; y >= 1; y <= 3", "x == 1"},
    {"3*x >= 1", "x >= 1"},
    {"2*x == y; 0 <= y; y <= 1", "y == 0"},
    {"4*x <= 7; 4*x >= 1", "x == 1"},
    {"x == 2*y; x == 2*z + 1", "x == 5"},
    // split by a constant, guarded (rule of the loop nest: x = m + 256*xo + xi)
    {SPLIT256, "(x - m) / 256 >= 0"},
    {SPLIT256, "(x - m) / 256 < (len + 255) / 256"},
    {SPLIT256, "0 <= (x - m) % 256 && (x - m) % 256 < 256"},
    {SPLIT256, "m + 256*((x - m) / 256) + (x - m) % 256 == x"},
    {"x == m + 256*xo + xi; 0 <= xi; xi < 256", "(x - m) / 256 == xo && (x - m) % 256 == xi"},
    {"x == m + 256*xo + xi; 0 <= xi; xi < 256; 0 <= xo; xo < (len + 255)/256; x < m + len", "m <= x && x < m + len"},
    {"xo >= 0; xi >= 0; xi < 256; m + 256*xo + xi < m + len", "m + 256*xo + xi <= min(m + 256*xo + 255, m + len - 1)"},
    {"xo >= 0; xo < (len + 255) / 256", "256*xo < len"},
    {"len >= 1", "(len + 255) / 256 >= 1"},
    {"len >= 0", "256 * ((len + 255) / 256) >= len && 256 * ((len + 255) / 256) <= len + 255"},
    {"x == m + 8*a + b; b == 2*c + d; 0 <= d; d < 2; 0 <= c; c < 4", "(x - m) / 8 == a && ((x - m) % 8) / 2 == c"},
    // split by a symbol
    {SPLITF, "(x - m) / f >= 0"},
    {SPLITF, "(x - m) / f < (len + f - 1) / f"},
    {SPLITF, "0 <= (x - m) % f && (x - m) % f < f"},
    {SPLITF, "m + f*((x - m) / f) + (x - m) % f == x"},
    {"f >= 1; x == m + f*xo + xi; 0 <= xi; xi < f", "(x - m) / f == xo"},
    {"f >= 1; x == m + f*xo + xi; 0 <= xi; xi < f", "(x - m) % f == xi"},
    {"f >= 1; len >= 1", "(len + f - 1) / f >= 1"},
    {"f >= 1; xo >= 0; xo < (len + f - 1) / f", "f*xo <= len - 1"},
    {"f >= 2; x >= 0", "x / f <= x"},
    // tiles and tails
    {"0 <= xi; xi < 256; m + 256*xo + xi < m + len", "m + 256*xo + xi <= m + len - 1"},
    {"f >= 1; len >= f; 0 <= xo; 0 <= xi; xi < f", "min(m + f*xo, m + len - f) + xi <= m + len - 1"},
    {"f >= 1; len >= f; 0 <= xo; 0 <= xi; xi < f", "min(m + f*xo, m + len - f) + xi >= m"},
    {"len < 8; 0 <= xi; xi < 8; xo >= 0", "min(m + 8*xo, m + len - 8) + xi >= m + len - 8"},
    {"len >= 8; xo >= 0; xo < (len+7)/8; 0 <= xi; xi < 8", "min(m + 8*xo, m + len - 8) + xi < m + len"},
    // fused loops
    {"b >= 1; 0 <= t; t < a*b", "t / b < a"},
    {"b >= 1; 0 <= t; t < a*b", "t / b >= 0"},
    {"b >= 1; 0 <= t; t < a*b", "0 <= t % b && t % b < b"},
    {"b >= 1; 0 <= x - m; x - m < a; 0 <= y - n; y - n < b; t == (x - m)*b + (y - n)", "0 <= t && t < a*b"},
    {"b >= 1; 0 <= y - n; y - n < b; t == (x - m)*b + (y - n)", "t / b + m == x && t % b + n == y"},
    {"0 <= a; a < 64; 0 <= b; b < 64; 64*x + a == 64*y + b", "x == y && a == b"},
    {"0 <= a; a < 3; 0 <= b; b < 5; 0 <= c; c < 3; 0 <= d; d < 5; 15*x + 5*a + b == 15*y + 5*c + d",
     "x == y && a == c && b == d"},
    // ends of hulls, divided by one length: their order follows from the cases of the minima
    {"n >= 1; i >= 0; i <= 1; j == min(n*m - 1, 14*v + 7*min(3*w + i, 1) + 6)", "j / n <= min(n*m - 1, 14*v + 13) / n"},
    {"n >= 1; x <= max(y + min(n*m - 1, 14*v + 7*min(w, 1) + 6) / n, 5)",
     "x <= max(max(y + min(n*m - 1, 14*v + 13) / n, 7), b)"},
    // loops of two hulls, fused: the quotient is less than the outer length
    {"t >= 0; t < (max(a, b) - min(a, h) + 1) * (max(d, e) - min(d, g) + 1); "
     "y == min(a, h) + t / (max(d, e) - min(d, g) + 1)",
     "y <= max(max(a, b) + 2, z)"},
    // the length of a hull is at least 1 in each of its cases
    {"t >= 0", "t / (max(d, e) - min(d, g) + 1) >= 0"},
    {"t >= 0; t <= 9; q == t / (max(d, e) - min(d, g) + 1)", "q * (max(d, e) - min(d, g) + 1) <= 9"},
    // three of them: each length is at least 1, since their product is
    {"l >= 0; m >= 0; n >= 0; 0 <= t; t < l*m*n", "t / n < l*m"},
    {"l >= 0; m >= 0; n >= 0; 0 <= t; t < l*m*n", "(t / n) / m < l"},
    {"0 <= a; a < l; 0 <= b; b < m; 0 <= h; h < n; t == a*m + b; u == t*n + h", "0 <= u"},
    {"0 <= a; a < l; 0 <= b; b < m; 0 <= h; h < n; t == a*m + b; u == t*n + h", "u < l*m*n"},
    {"l >= 0; m >= 0; n >= 0; 0 <= t; t < l*m*n; 0 <= u; u < l*m*n; t % n == u % n; (t / n) % m == (u / n) % m; "
     "(t / n) / m == (u / n) / m",
     "t == u"},
    // tiles that are fused: a point belongs to one iteration only
    {TILES "t < u", "1 < 0"},
    {"b >= 1; a >= 1", "a*b >= 1"},
    {"a >= 0; b >= 0", "a*b >= 0"},
    {"a >= 1; b >= 1; t >= 0", "t / (a*b) >= 0"},
    // round, up- and downsampling
    {"len >= 0", "4*((len + 3) / 4) >= len"},
    {"m <= x; x < m + len", "m/2 <= x/2 && x/2 <= (m + len - 1)/2"},
    {"m <= x; x < m + len", "2*m <= 2*x + 1 && 2*x + 1 < 2*m + 2*len"},
    {"x <= y", "x/3 <= y/3"},
    {"x <= y", "x/2 <= (y + 1)/2"},
    {"x % 4 == 0; x >= 1", "x >= 4"},
    {"m % 4 == 0; len % 4 == 0; x >= m; x < m + len", "4*(x/4) + 3 < m + len"},
    // hulls and clamps
    {"", "min(a, b) <= a && min(a, b) <= b"},
    {"", "max(a, b) >= a"},
    {"a <= c; b <= c", "max(a, b) <= c"},
    {"c <= a; c <= b", "c <= min(a, b)"},
    {"", "min(a, b) == min(b, a)"},
    {"", "max(a, b) + min(a, b) == a + b"},
    {"", "min(a, min(b, c)) <= c"},
    {"", "min(min(a, b), c) == min(a, min(b, c))"},
    {"", "min(x + a, x + b) == x + min(a, b)"},
    {"", "clamp(e, 0, 255) >= 0 && clamp(e, 0, 255) <= 255"},
    {"lo <= hi", "lo <= clamp(e, lo, hi) && clamp(e, lo, hi) <= hi"},
    {"0 <= x; x < len", "0 <= min(x + 1, len - 1) && min(x + 1, len - 1) < len"},
    {"len >= 1", "max(min(x - 1, m + len - 1), m) < m + len"},
    {"a >= 0; b >= 0", "max(a, b) <= a + b"},
    {"", "abs(x) >= 0 && abs(x) >= x && abs(x) >= -x"},
    {"x >= -3; x <= 2", "abs(x) <= 3"},
    {"", "select(x < 0, -x, x) == abs(x)"},
    {"c >= 1", "select(x < c, x, c) <= c"},
    {"t_a || x > 0; !t_a || x > 0", "x > 0"},
    {"", "select(t_a, 1, 2) <= 2"},
    {"t_a", "select(t_a, x, y) == x"},
    {"t_a == t_b; t_a", "t_b"},
    {"t_a; !t_a", "x < 0"},
    // loads and fixed widths
    {"", "int(img(x)) >= 0 && int(img(x)) <= 255"},
    {"", "int(b_v) < 256"},
    {"", "int(w_v) / 16 < 4096"},
    {"", "int(w_v / 16) <= 4095"},
    {"", "int(c_v) >= -128"},
    {"", "int(b_v + b_w) <= 255"},
    {"b_v < 10; b_w < 10", "int(b_v + b_w) <= 18"},
    {"", "int(u8(x)) == x % 256"},
    {"0 <= x; x < 256", "int(u8(x)) == x"},
    {"", "int(min(b_v, 7)) <= 7"},
    {"b_v < b_w", "int(b_v) + 1 <= int(b_w)"},
    {"", "int(u16(b_v) + u16(b_w)) == int(b_v) + int(b_w)"},
    {"at(x) >= 0; at(x) < 10", "at(x) + 1 <= 10"},
    {"", "(x & 15) < 16"},
    {"", "(x & 15) >= 0 && (x & 15) <= 15"},
    {"x >= 0", "x >> 2 <= x"},
    {"", "(x << 3) == 8*x"},
    {"on(x) && at(x) > 3", "at(x) != 3"},
    {"f_a < 1.0", "f_a < 1.0 || x > 0"},
    // floats against numbers, zeros alike; conversions of floats
    {"f_a < 1.0", "!(f_a >= 1.0)"},
    {"f_a < 1.0", "f_a < 2.0"},
    {"f_a <= 0.0", "-0.0 >= f_a"},
    {"f_a >= -0.0", "f_a >= 0.0"},
    {"f_a == -0.0", "f_a == 0.0 && f_a < 0.5"},
    {"f_a != f_a; f_a > 0.0", "f_a > -1.0"},
    {"f_a >= 0.5; f_a <= 2.0; x <= y", "int(f32(x) * f_a) <= int(f32(y) * f_a)"},
    {"f_a >= 0.5; f_a <= 2.0; x <= y", "int(f_a * f32(x)) <= int(f_a * f32(y))"},
    {"f_a <= -0.5; f_a >= -2.0; x <= y", "int(f32(y) * f_a) <= int(f32(x) * f_a)"},
    {"f_a >= -2.0; f_a <= 2.0; x <= y; y <= z", "min(int(f32(x) * f_a), int(f32(z) * f_a)) <= int(f32(y) * f_a)"},
    {"f_a >= -2.0; f_a <= 2.0; x <= y; y <= z", "int(f32(y) * f_a) <= max(int(f32(x) * f_a), int(f32(z) * f_a))"},
    {"f_a >= 0.5; f_a <= 2.0; x <= y",
     "int(floor((f32(x) + 0.5) / f_a - 0.5)) <= int(floor((f32(y) + 0.5) / f_a - 0.5))"},
    {"f_a >= -4.0; f_a <= 4.0; x <= y", "int(f32(x) - f_a) <= int(f32(y) - f_a)"},
    {"f_a >= -4.0; f_a <= 4.0; x <= y", "int(f_a - f32(y)) <= int(f_a - f32(x))"},
    {"f_a >= 1.0; f_a <= 4.0; x <= y; w <= z", "int(f32(x) * f_a + f32(w)) <= int(f32(y) * f_a + f32(z))"},
    {"f_a <= -0.125; f_a >= -8.0; x <= y", "int(i32(f32(y) / f_a + 0.5)) <= int(i32(f32(x) / f_a + 0.5))"},
    {"x <= y", "int(i8(-f64(x))) >= int(i8(-f64(y)))"},
    {"x <= y", "int(u8(ceil(f32(f64(x) * 0.5)))) <= int(u8(ceil(f32(f64(y) * 0.5))))"},
    {"x <= y", "int(max(min(round(f32(x)), 100.0), 0.0)) <= int(max(min(round(f32(y)), 100.0), 0.0))"},
    {"x <= y", "int(f32(int(trunc(f32(x) * 3.0))) * 0.5) <= int(f32(int(trunc(f32(y) * 3.0))) * 0.5)"},
    {"x <= 9; y >= 0; f_a >= 1.0; f_a <= 2.0", "int(f32(min(x, 2)) * f_a) <= int(f32(max(y, 3)) * f_a)"},
    {"x >= -1000; x <= 1000; f_a >= 0.25; f_a <= 4.0",
     "int(f32(x) * f_a) - int(f32(x) / f_a) >= -9223372036854775808 && int(f32(x) * f_a) - int(f32(x) / f_a) <= "
     "9223372036854775807"},
    {"", "int(t_a) <= 1"},
    // normal forms
    {"", "(256*y + x) / 256 == y + x / 256"},
    {"", "(x / 4) / 2 == x / 8"},
    {"", "(2*x + 1) / 2 == x"},
    {"", "(6*x + 4) / 4 == (3*x + 2) / 2"},
    {"", "x / -2 == -(x / 2)"},
    {"", "x % 2 == 0 || x % 2 == 1"},
    {"x == 2*k + 1", "x % 2 == 1"},
    {"", "x*y == y*x"},
    {"", "(x + y)*(x + y) == x*x + 2*x*y + y*y"},
    {"", "x*x >= 0"},
    // quotients of one divisor are ordered like their numerators
    {"m >= 1; a <= b", "a/m <= b/m"},
    {"m >= 1; a <= b + m", "a/m <= b/m + 1"},
    {"m >= 1; 0 <= t; t < 7*m", "t/m <= 6"},
    {"m >= 1; 2*m <= t", "t/m >= 2"},
    {"a <= b; x <= 2*(a/7) + 1", "x <= 2*(b/7) + 1"},
    {"a <= b; x <= 5*(a/7) + 2; 5*(b/7) < y", "x <= y + 1"},
    {"w >= 1; l >= 1; 0 <= i; i < (max(l, k) + w - 1)/w; max(l, k) <= 1000", "w*i <= 1000"},
    {"n >= 0; y >= 1; 0 <= t; t < (y + 1)*n; v == m + 1 + t/n",
     "v < min(m + 1, 2) + (max(m + y + 1, 2) - min(m + 1, 2) + 1)"},
    {"max(a, b) - min(a, c) + 1 >= 1; y >= 1; 0 <= t; t < (y + 1)*(max(a, b) - min(a, c) + 1)",
     "t/(max(a, b) - min(a, c) + 1) <= y"},
    // a quotient that terms which cancel leave one off
    {"m >= 0; x >= 2 - a - m; x < 2 - a; y >= a; y < a + m; t == (y - a)*m + (x - (2 - a - m))",
     "x == 2 - a - m + t % m"},
    // minima within minima
    {"a >= -1000; b >= -1000; c >= -1000; d >= -1000", "min(min(min(a, b) + c, d) + a, b) >= -3000"},
};

bool questions_provable(size_t i, const char **facts, const char **goal) {
  if (i >= HY_COUNT(proved)) return false;
  *facts = proved[i].facts;
  *goal = proved[i].goal;
  return true;
}

/* -- goals that do not follow -- */

static const row unproved[] = {
    {"y <= 3*x + 4", "x/2 + y <= x/2 + 3*x + 3"},
    {"", "2 < 1"},
    {"", "false"},
    {"x >= 0", "false"},
    {"", "x < x"},
    {"", "x <= y"},
    {"x >= 0", "x >= 1"},
    {"x >= 0; y >= 0", "x >= y"},
    {"a <= b", "b <= a"},
    {"a <= b; b <= c", "a < c"},
    {"x + y == 10", "x == 7"},
    {"x != 3", "x > 3"},
    {"x > 3 || x < 0", "x > 3"},
    {"2*w + 3 >= 0", "w >= 0"},
    {"2*x == y; y >= 0; y <= 2", "x == 1"},
    {"3*x >= -1", "x >= 1"},
    {SPLIT256, "(x - m) / 256 < len / 256"},
    {SPLIT256, "(x - m) / 256 >= 1"},
    {SPLIT256, "(x - m) % 256 < 255"},
    {SPLIT256, "m + 256*((x - m) / 256) == x"},
    {"x == m + 256*xo + xi; 0 <= xi; xi <= 256", "(x - m) / 256 == xo"},
    {"x == m + 256*xo + xi; 0 <= xi; xi < 256; 0 <= xo; xo < (len + 255)/256", "x < m + len"},
    {"len >= 0", "(len + 255) / 256 >= 1"},
    {"len >= 0", "256 * ((len + 255) / 256) <= len + 254"},
    {"m <= x; x < m + len", "(x - m) / f >= 0"}, // f may be 0 or less
    {"f >= 0; m <= x; x < m + len", "(x - m) % f < f"},
    {SPLITF, "(x - m) / f < len / f"},
    {"f >= 1; x == m + f*xo + xi; 0 <= xi; xi <= f", "(x - m) / f == xo"},
    {"f >= 1; 0 <= xo; 0 <= xi; xi < f", "min(m + f*xo, m + len - f) + xi >= m"}, // len < f
    {"f >= 1; len >= f; 0 <= xo; 0 <= xi; xi <= f", "min(m + f*xo, m + len - f) + xi <= m + len - 1"},
    {"f >= 1; x == m + f*xo + xi; xi < f", "(x - m) / f == xo"}, // xi may be negative
    {"f >= 1; x < f", "x / f == 0"},
    {"f >= 1; x >= 0", "x / f == 0"},
    {"f >= 1; x < f", "x % f == x"},
    {"m % 4 == 0; len % 4 == 0; x >= m; x < m + len", "4*(x/4) + 4 < m + len"},
    {"m % 4 == 0; x >= m; x < m + len", "4*(x/4) + 3 < m + len"},
    {"x == 4*(x/4) + y", "y == 0"},
    {"0 <= t; t < a*b", "t / b < a"}, // b may be negative
    {"b >= 1; 0 <= t; t <= a*b", "t / b < a"},
    {"b >= 1; 0 <= y - n; y - n <= b; t == (x - m)*b + (y - n)", "t / b + m == x"},
    {"a >= 1; b >= 0", "a*b >= 1"},
    {"", "a*b >= 0"},
    {"m <= x; x < m + len", "x/2 <= (m + len)/2 - 1"},
    {"m <= x; x < m + len", "2*x + 1 < 2*m + 2*len - 1"},
    {"x <= y + 1", "x/3 <= y/3"},
    {"x % 4 == 0; x >= 0", "x >= 4"},
    {"", "min(a, b) >= a"},
    {"", "max(a, b) <= a"},
    {"a <= c", "max(a, b) <= c"},
    {"", "min(a, b) <= min(a, c)"},
    {"", "lo <= clamp(e, lo, hi) && clamp(e, lo, hi) <= hi"}, // hi < lo
    {"", "clamp(e, 0, 255) <= 254"},
    {"0 <= x; x <= len", "min(x + 1, len - 1) >= 0"},
    {"x >= -3; x <= 2", "abs(x) <= 2"},
    {"", "select(x < 0, x, -x) == abs(x)"},
    {"t_a || x > 0", "x > 0"},
    {"", "t_a"},
    {"t_a", "select(t_b, x, y) == x"},
    {"t_a == t_b", "t_b"},
    {"", "int(img(x)) <= 254"},
    {"", "int(img(x)) == int(img(y))"},
    {"m >= 0; a <= b", "a/m <= b/m"},
    {"m >= 1; a <= b + m", "a/m <= b/m - 1"},
    {"a <= b + 7", "a/7 <= b/7"},
    {"", "int(b_v + b_w) == int(b_v) + int(b_w)"},
    {"b_v < 200; b_w < 200", "int(b_v + b_w) >= int(b_v)"},
    {"", "int(u8(x)) == x"},
    {"", "int(w_v) / 16 < 4095"},
    {"at(x) >= 0", "at(y) >= 0"},
    {"", "x / 0 == 0"},
    {"", "x % 0 == x"},
    {"!(f_a >= 1.0)", "f_a < 1.0"}, // a NaN
    {"f_a <= 0.0", "f_a < 0.0"},
    {"f_a < 1.0", "f_b < 2.0"},
    {"x <= y", "int(f32(x) * f_a) <= int(f32(y) * f_a)"},                             // any sign, and a NaN
    {"f_a >= 0.5; x <= y", "int(f32(x) * f_a) <= int(f32(y) * f_a)"},                 // infinity times 0
    {"!(f_a < 0.5); !(f_a > 2.0); x <= y", "int(f32(x) * f_a) <= int(f32(y) * f_a)"}, // a NaN (of which nothing comes)
    {"f_a >= -2.0; f_a <= 2.0; x <= y", "int(f32(x) * f_a) <= int(f32(y) * f_a)"},    // any sign
    {"f_a >= 0.5; f_a <= 2.0", "int(f32(x) * f_a) <= int(f32(y) * f_a)"},             // any order
    {"f_a >= 0.0; f_a <= 2.0; x <= y", "int(f32(x) / f_a) <= int(f32(y) / f_a)"},     // 0 / 0
    {"f_a >= -2.0; f_a <= 2.0; x <= y", "int(f_a - f32(x)) <= int(f_a - f32(y))"},    // falls
    {"f_a >= 1.0; f_a <= 2.0; x <= y", "int(f_a / f32(y)) <= int(f_a / f32(x))"},     // not in a divisor
    {"x <= y", "int(sin(f32(x))) <= int(sin(f32(y)))"},
    {"x <= y", "int(f32(x) * f32(x)) <= int(f32(y) * f32(y))"},
    {"x <= y", "int(f32(x * x)) <= int(f32(y * y))"},
    {"x < y", "int(f32(x)) < int(f32(y))"}, // not strictly
    {"f_a >= 1.0; f_a <= 1.0e38; f_b >= 1.0; f_b <= 1.0e38; x <= y",
     "int(f32(x) * f_a * f_b - f_a * f_b) <= int(f32(y) * f_a * f_b - f_a * f_b)"},
    {"", "x % 2 == 0"},
    {"", "(2*x + 1) / 2 == x + 1"},
    {"", "x*x >= 1"},
    {"x == 2*k + 1", "x % 2 == 0"},
};

static hy_answer ask(questions *q, hy_prover *prover, const row *r) {
  const hy_expr *facts[MAX_FACTS];
  size_t count = questions_facts(q, r->facts, facts);
  return hy_prover_holds(prover, facts, count, questions_formula(q, r->goal));
}

START_TEST(proves) {
  questions *q = questions_new();
  hy_prover *prover = hy_prover_new(questions_context(q));
  const row *r = &proved[_i];
  hy_answer answer = ask(q, prover, r);
  ck_assert_msg(answer == HY_YES, "not proved: %s |- %s", r->facts, r->goal);
  ck_assert_msg(hy_prover_method(prover)[0] != '\0', "no method: %s |- %s", r->facts, r->goal);
  hy_prover_free(prover);
  questions_free(q);
}
END_TEST

START_TEST(does_not_prove) {
  questions *q = questions_new();
  hy_prover *prover = hy_prover_new(questions_context(q));
  const row *r = &unproved[_i];
  ck_assert_msg(ask(q, prover, r) != HY_YES, "proved: %s |- %s", r->facts, r->goal);
  hy_prover_free(prover);
  questions_free(q);
}
END_TEST

/* -- no only with a counterexample -- */

static const row refuted[] = {
    {"y >= m; y < m + n; x >= a; x < a + l; l >= 1; o == (x - a) / 4; t == (y - m) * ((l + 3) / 4) + o",
     "t < n * ((l + 3) / 4) - 1"},
    {"", "min(x, y) - x <= -1"},
    {"", "7*(x/7) < x"},
    {"", "x <= 7*(x/7)"},
    {"x <= y", "x - 5 <= 7*(y/7)"},
    {"", "false"},
    {"", "2 < 1"},
    {"x >= 0", "false"},
    {"x >= 0", "x >= 1"},
    {"a <= b; b <= c", "a < c"},
    {"", "min(a, b) >= a"},
    {"x + y == 10; x >= y", "x == 7"},
    {SPLIT256, "(x - m) / 256 < len / 256"},
    {"", "int(b_v) <= 254"},
    {"", "t_a"},
    {"m >= 1; a <= b", "b/m <= a/m"},
    {"m >= 1; 0 <= t; t < 7*m", "t/m <= 5"},
    {"m >= 1; a <= b + m", "a/m <= b/m"},
    {"f_a <= 1.0", "f_a < 1.0"},
    {"f_a >= 0.5; f_a <= 2.0; x <= y", "int(f32(y) * f_a) <= int(f32(x) * f_a)"},
    {"x >= 0; y >= 0", "x*y*3 <= 9223372036854775807"}, // as large as parameters may be (D26)
};

static const row unknown[] = {
    {"", "x / 0 == 0"},
    {"", "int(img(x)) <= 254"},
    {"at(x) >= 0", "at(y) >= 0"},
    {"x*x + y*y == 3", "x == 9"}, // no counterexample is there
};

START_TEST(refutes) {
  questions *q = questions_new();
  hy_prover *prover = hy_prover_new(questions_context(q));
  const row *r = &refuted[_i];
  ck_assert_msg(ask(q, prover, r) == HY_NO, "not refuted: %s |- %s", r->facts, r->goal);
  hy_prover_free(prover);
  questions_free(q);
}
END_TEST

START_TEST(does_not_know) {
  questions *q = questions_new();
  hy_prover *prover = hy_prover_new(questions_context(q));
  const row *r = &unknown[_i];
  ck_assert_msg(ask(q, prover, r) == HY_UNKNOWN, "decided: %s |- %s", r->facts, r->goal);
  hy_prover_free(prover);
  questions_free(q);
}
END_TEST

/* -- numbers at the limit -- */

#define BIG "9223372036854775807"

static const row extreme_proved[] = {
    {"x <= " BIG, "x + 1 <= " BIG " + 1"},
    {"x >= " BIG "; x <= " BIG, "x == " BIG},
    {"", "int(q_v) >= 0 && int(q_v) <= " BIG " + " BIG " + 1"},
};

static const row extreme_unproved[] = {
    {"", "int(q_v) <= " BIG},
    {BIG "*x <= " BIG "*y + 1; " BIG "*y <= 9223372036854775806*z", BIG "*x <= z"},
    {"", BIG "*x*" BIG "*" BIG "*" BIG " >= x"},
    {BIG "*" BIG "*x >= " BIG "*y", "x > y"},
};

START_TEST(extremes) {
  questions *q = questions_new();
  hy_prover *prover = hy_prover_new(questions_context(q));
  for (size_t i = 0; i < HY_COUNT(extreme_proved); i++)
    ck_assert_msg(ask(q, prover, &extreme_proved[i]) == HY_YES, "not proved: %s", extreme_proved[i].goal);
  for (size_t i = 0; i < HY_COUNT(extreme_unproved); i++)
    ck_assert_msg(ask(q, prover, &extreme_unproved[i]) != HY_YES, "proved: %s", extreme_unproved[i].goal);
  hy_prover_free(prover);
  questions_free(q);
}
END_TEST

/* -- large questions -- */

static const hy_expr *variable(questions *q, const char *name, int number) {
  char text[32];
  snprintf(text, sizeof text, "%s%d", name, number);
  return hy_expr_var(questions_context(q), questions_variable(q, text));
}

static const hy_expr *at_most(questions *q, const hy_expr *a, const hy_expr *b) {
  return hy_expr_binary(questions_context(q), HY_OP_LE, a, b);
}

// A chain v0 <= v1 <= ... among hundreds of facts about other things.
START_TEST(chooses_among_many_facts) {
  questions *q = questions_new();
  hy_prover *prover = hy_prover_new(questions_context(q));
  enum { LINKS = 12, OTHERS = 400 };
  const hy_expr *facts[LINKS + OTHERS];
  for (int i = 0; i < OTHERS; i++) facts[i] = at_most(q, variable(q, "u", i), variable(q, "u", i + 1));
  for (int i = 0; i < LINKS; i++) facts[OTHERS + i] = at_most(q, variable(q, "v", i), variable(q, "v", i + 1));
  const hy_expr *yes = at_most(q, variable(q, "v", 0), variable(q, "v", LINKS));
  const hy_expr *no = at_most(q, variable(q, "v", LINKS), variable(q, "v", 0));
  ck_assert_int_eq(hy_prover_holds(prover, facts, LINKS + OTHERS, yes), HY_YES);
  ck_assert_int_eq(hy_prover_holds(prover, facts, LINKS + OTHERS, no), HY_UNKNOWN); // facts were left out
  ck_assert_int_eq(hy_prover_holds(prover, facts + OTHERS, LINKS, no), HY_NO);
  hy_prover_free(prover);
  questions_free(q);
}
END_TEST

// A chain that is longer than what is near enough to be taken of many facts: those about other things do not count, and
// the answers are those without them. (VER.Proved)
START_TEST(facts_about_other_things_do_not_count) {
  questions *q = questions_new();
  hy_prover *prover = hy_prover_new(questions_context(q));
  enum { LINKS = 40, OTHERS = 60 };
  const hy_expr *facts[OTHERS + LINKS + 1], *const *chain = facts + OTHERS;
  for (int i = 0; i < OTHERS; i++) facts[i] = at_most(q, variable(q, "u", i), variable(q, "u", i + 1));
  for (int i = 0; i < LINKS; i++) facts[OTHERS + i] = at_most(q, variable(q, "v", i), variable(q, "v", i + 1));
  const hy_expr *yes = at_most(q, variable(q, "v", 0), variable(q, "v", LINKS));
  const hy_expr *no = at_most(q, variable(q, "v", LINKS), variable(q, "v", 0));
  ck_assert_int_eq(hy_prover_holds(prover, chain, LINKS, yes), HY_YES);
  ck_assert_int_eq(hy_prover_holds(prover, facts, OTHERS + LINKS, yes), HY_YES);
  ck_assert_int_eq(hy_prover_holds(prover, chain, LINKS, no), HY_NO);
  ck_assert_int_eq(hy_prover_holds(prover, facts, OTHERS + LINKS, no), HY_NO);
  // unless they contradict each other: then all follows
  facts[OTHERS + LINKS] = hy_expr_binary(questions_context(q), HY_OP_GT, variable(q, "u", 0), variable(q, "u", OTHERS));
  ck_assert_int_eq(hy_prover_holds(prover, facts, OTHERS + LINKS + 1, no), HY_YES);
  hy_prover_free(prover);
  questions_free(q);
}
END_TEST

// More fact lists than are remembered: the same answers, and memory stays bounded.
// What all questions took together ends them, however each of them begins anew; it is never read as an answer.
START_TEST(effort_is_of_all_questions) {
  static const row rows[] = {{"x >= 1; y >= x; z >= y", "x*y + z <= y*z + y"},
                             {"x >= 2; y >= 3", "x*y >= x + y"},
                             {"x >= 2; y >= 4", "x*y >= x + y"}};
  questions *q = questions_new();
  hy_prover *prover = hy_prover_new(questions_context(q));
  hy_prover_persist(prover, false);
  hy_prover_limit_effort(prover, HY_PROVER_EFFORT);
  ck_assert_int_eq(ask(q, prover, &rows[1]), HY_YES);
  hy_prover_limit_effort(prover, 1); // used up by that
  ck_assert_int_eq(ask(q, prover, &rows[2]), HY_UNKNOWN);
  ck_assert_int_eq(ask(q, prover, &rows[0]), HY_UNKNOWN);
  hy_prover_free(prover);
  questions_free(q);
}
END_TEST

// A tree of 2^60 comparisons, all of one x: what bounds it is looked for in each of its nodes once.
START_TEST(samples_see_shared_facts_once) {
  questions *q = questions_new();
  hy_context *context = questions_context(q);
  hy_prover *prover = hy_prover_new(context);
  const hy_expr *x = variable(q, "x", 0), *fact = at_most(q, hy_expr_int(context, 5), x);
  for (int i = 0; i < 60; i++) fact = hy_expr_binary(context, HY_OP_AND, fact, fact);
  hy_prover_value value;
  size_t count = 0;
  const hy_expr *goal = at_most(q, x, hy_expr_int(context, 4));
  ck_assert(hy_prover_counterexample(prover, &fact, 1, goal, &value, 1, &count));
  ck_assert_uint_eq(count, 1);
  ck_assert_ptr_eq(value.unknown, x);
  ck_assert_int_ge(value.value, 5);
  hy_prover_free(prover);
  questions_free(q);
}
END_TEST

START_TEST(forgets_and_goes_on) {
  questions *q = questions_new();
  hy_context *context = questions_context(q);
  hy_prover *prover = hy_prover_new(context);
  const hy_expr *x = variable(q, "x", 0);
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < 1500; i++) {
      const hy_expr *fact = at_most(q, hy_expr_int(context, i), x), *less = hy_expr_int(context, i - 1);
      ck_assert_int_eq(hy_prover_holds(prover, &fact, 1, at_most(q, less, x)), HY_YES);
      ck_assert_int_eq(hy_prover_holds(prover, &fact, 1, at_most(q, x, less)), HY_NO);
    }
  hy_prover_free(prover);
  questions_free(q);
}
END_TEST

// Deep and wide expressions: any answer but a wrong one, soon, and no exhausted stack.
START_TEST(bears_large_expressions) {
  static const hy_op ops[] = {HY_OP_ADD, HY_OP_MUL, HY_OP_MIN, HY_OP_DIV, HY_OP_MOD, HY_OP_SUB};
  questions *q = questions_new();
  hy_context *context = questions_context(q);
  hy_prover *prover = hy_prover_new(context);
  for (size_t k = 0; k < HY_COUNT(ops); k++)
    for (int distinct = 1; distinct <= 200; distinct += 199) {
      const hy_expr *e = variable(q, "x", 0);
      for (int i = 0; i < 2000; i++) e = hy_expr_binary(context, ops[k], e, variable(q, "x", i % distinct));
      const hy_expr *goal = at_most(q, e, hy_expr_int(context, -5));
      ck_assert_int_ne(hy_prover_holds(prover, NULL, 0, goal), HY_YES);
      ck_assert_int_ne(hy_prover_holds(prover, &goal, 1, hy_expr_bool(context, false)), HY_YES);
    }
  hy_prover_free(prover);
  questions_free(q);
}
END_TEST

START_TEST(bears_large_formulas) {
  questions *q = questions_new();
  hy_context *context = questions_context(q);
  hy_prover *prover = hy_prover_new(context);
  const hy_expr *all = hy_expr_bool(context, true), *any = hy_expr_bool(context, false), *twice = NULL;
  for (int i = 0; i < 2000; i++) {
    const hy_expr *next = at_most(q, variable(q, "x", i % 50), variable(q, "x", i % 49));
    all = hy_expr_and(context, all, next);
    any = hy_expr_or(context, any, next);
    // Shared on both sides: a tree of 2^2000 nodes.
    twice = twice ? hy_expr_binary(context, i % 2 ? HY_OP_AND : HY_OP_OR, twice, twice) : next;
  }
  const hy_expr *no = hy_expr_bool(context, false);
  ck_assert_int_ne(hy_prover_holds(prover, NULL, 0, all), HY_YES);
  ck_assert_int_ne(hy_prover_holds(prover, NULL, 0, twice), HY_NO); // x0 <= x0
  ck_assert_int_ne(hy_prover_holds(prover, &any, 1, no), HY_YES);
  ck_assert_int_ne(hy_prover_holds(prover, &twice, 1, no), HY_YES);
  ck_assert_int_eq(hy_prover_holds(prover, &all, 1, all), HY_YES);
  hy_prover_free(prover);
  questions_free(q);
}
END_TEST

/* -- chance -- */

static bool no_value(void *self, const hy_expr *unknown, hy_wide *value) {
  (void)self, (void)unknown, (void)value;
  return false;
}

static uint64_t seed_of_run(void) {
  const char *text = getenv("HALYARD_TEST_SEED");
  return text ? strtoull(text, NULL, 10) : 20240611;
}

static void print_question(const hy_expr *const *facts, size_t count, const hy_expr *goal) {
  hy_text text = {0};
  for (size_t i = 0; i < count; i++) {
    hy_expr_print(facts[i], &text);
    hy_text_add(&text, "; ");
  }
  hy_text_add(&text, " |- ");
  hy_expr_print(goal, &text);
  fprintf(stderr, "%s\n", hy_text_string(&text));
  hy_text_free(&text);
}

enum { ROUNDS = 120 };

// A YES with a counterexample in the box is a failure.
START_TEST(agrees_with_enumeration) {
  uint64_t seed = seed_of_run() + (uint64_t)_i * 1000003;
  questions *q = questions_new();
  hy_prover *prover = hy_prover_new(questions_context(q));
  questions_set_typed(q, _i % 2);
  int yes = 0, wrong = 0;
  for (int round = 0; round < ROUNDS; round++) {
    const hy_expr *facts[4];
    size_t count = questions_random(&seed) % 4;
    for (size_t i = 0; i < count; i++) facts[i] = questions_random_formula(q, &seed, 1);
    const hy_expr *goal = questions_random_formula(q, &seed, 2);
    if (hy_prover_holds(prover, facts, count, goal) != HY_YES) continue;
    yes++;
    if (!questions_enumerate(q, facts, count, goal, _i % 2 ? 3 : 5)) continue;
    print_question(facts, count, goal);
    wrong++;
  }
  hy_prover_free(prover);
  questions_free(q);
  ck_assert_msg(wrong == 0, "%d wrong of %d, seed %llu", wrong, yes, (unsigned long long)seed_of_run());
  ck_assert_msg(yes > 10, "only %d proved, seed %llu", yes, (unsigned long long)seed_of_run());
}
END_TEST

// Nests with a symbolic factor f, off by a random amount somewhere; m is 0. The same judge.
static const char *const loop_facts[] = {
    "f >= %d",
    "x == f*xo + xi",
    "xi >= %d",
    "xi < f + %d",
    "x >= %d",
    "x < len + %d",
    "xo < (len + f - 1)/f + %d",
    "xo >= %d",
    "len >= f + %d",
    "x % 2 == %d",
    "xi / f <= %d",
    "f <= %d + 2",
};
static const char *const loop_goals[] = {
    "x / f == xo + %d",
    "x % f == xi + %d",
    "x / f < (len + f - 1)/f + %d",
    "x / f >= %d",
    "f*(x/f) + x % f == x + %d",
    "f*xo < len + %d",
    "min(f*xo, len - f) + xi < len + %d",
    "min(f*xo, len - f) + xi >= %d",
    "x % f <= f + %d",
    "f*xo + xi <= min(f*xo + f, len) + %d",
    "x*f >= xo + %d",
    "(x + f*xo)/f == x/f + xo + %d",
    "max(x, xi) / f >= %d",
};

static const hy_expr *random_row(questions *q, const char *const *texts, size_t count, uint64_t *seed) {
  static const int offsets[] = {0, 0, 0, 1, -1, 2};
  char text[96];
  const char *pattern = texts[questions_random(seed) % count], *slot = strstr(pattern, "%d");
  int offset = offsets[questions_random(seed) % HY_COUNT(offsets)];
  if (!slot) return questions_formula(q, pattern);
  snprintf(text, sizeof text, "%.*s(%d)%s", (int)(slot - pattern), pattern, offset, slot + 2);
  return questions_formula(q, text);
}

START_TEST(agrees_on_loops) {
  uint64_t seed = seed_of_run() + (uint64_t)_i * 7919;
  questions *q = questions_new();
  hy_prover *prover = hy_prover_new(questions_context(q));
  int yes = 0, wrong = 0;
  for (int round = 0; round < ROUNDS; round++) {
    const hy_expr *facts[6];
    size_t count = 2 + questions_random(&seed) % 5;
    facts[0] = questions_formula(q, "f >= 1");
    for (size_t i = 1; i < count; i++) facts[i] = random_row(q, loop_facts, HY_COUNT(loop_facts), &seed);
    const hy_expr *goal = random_row(q, loop_goals, HY_COUNT(loop_goals), &seed);
    if (hy_prover_holds(prover, facts, count, goal) != HY_YES) continue;
    yes++;
    if (!questions_enumerate(q, facts, count, goal, 3)) continue;
    print_question(facts, count, goal);
    wrong++;
  }
  hy_prover_free(prover);
  questions_free(q);
  ck_assert_msg(wrong == 0, "%d wrong of %d, seed %llu", wrong, yes, (unsigned long long)seed_of_run());
  ck_assert_msg(yes > 5, "only %d proved, seed %llu", yes, (unsigned long long)seed_of_run());
}
END_TEST

// What judges counterexamples, against the one definition of arithmetic.
START_TEST(evaluates_as_values_do) {
  static const hy_type types[] = {HY_INT, HY_BOOL, HY_U8, HY_I8, HY_U16, HY_I32, HY_U64, HY_I64};
  hy_op op = (hy_op)_i;
  hy_context *context = hy_context_new();
  uint64_t seed = seed_of_run() + (uint64_t)_i;
  for (int round = 0; round < 1000; round++) {
    hy_value args[HY_MAX_ARITY];
    const hy_expr *constants[HY_MAX_ARITY];
    hy_type type = types[questions_random(&seed) % HY_COUNT(types)], given[HY_MAX_ARITY], result;
    for (int i = 0; i < hy_op_arity(op); i++) {
      given[i] = op == HY_OP_SELECT && i == 0 ? HY_BOOL : type;
      uint64_t r = questions_random(&seed);
      args[i] = hy_value_integral(given[i], r % 2 ? (int64_t)(r >> 8) % 70 - 9 : (int64_t)questions_random(&seed));
      constants[i] = hy_expr_const(context, args[i]);
    }
    if (!hy_op_result(op, given, &result)) continue;
    if (op == HY_OP_CAST) result = types[questions_random(&seed) % HY_COUNT(types)];
    hy_value expected = hy_value_apply(op, result, args);
    hy_wide value;
    bool has_value = hy_evaluate(hy_expr_op(context, op, result, constants), no_value, NULL, &value);
    bool fits = has_value && (result != HY_INT || value == (int64_t)value); // over Z it may be there all the same
    bool computed = expected.error == HY_OK && !hy_op_is_opaque(op);        // what is opaque has no value here
    ck_assert_msg(fits == computed, "%s on %s", hy_op_name(op), hy_type_name(type));
    ck_assert_msg(!fits || (int64_t)value == expected.i, "%s on %s", hy_op_name(op), hy_type_name(type));
  }
  hy_context_free(context);
}
END_TEST

// The same questions in another order and by another prover: the same answers.
START_TEST(does_not_depend_on_history) {
  questions *q = questions_new();
  hy_prover *one = hy_prover_new(questions_context(q));
  hy_answer first[HY_COUNT(proved)];
  for (size_t i = 0; i < HY_COUNT(proved); i++) first[i] = ask(q, one, &proved[i]);
  hy_prover *other = hy_prover_new(questions_context(q));
  for (size_t i = HY_COUNT(proved); i-- > 0;) ck_assert_int_eq(ask(q, other, &proved[i]), first[i]);
  for (size_t i = 0; i < HY_COUNT(proved); i++) ck_assert_int_eq(ask(q, one, &proved[i]), first[i]);
  hy_prover_counts counts = hy_prover_statistics(one);
  ck_assert_uint_eq(counts.asked, 2 * HY_COUNT(proved));
  ck_assert_uint_eq(counts.yes, 2 * HY_COUNT(proved));
  ck_assert(counts.degree1 > 0 && counts.degree2 > 0 && counts.splits > 0);
  hy_prover_free(one);
  hy_prover_free(other);
  questions_free(q);
}
END_TEST

// z is defined by a sum each of whose parts is made of one sum, and so on: few expressions, but 3^20 ways through them.
START_TEST(bears_shared_definitions) {
  questions *q = questions_new();
  hy_context *context = questions_context(q);
  hy_prover *prover = hy_prover_new(context);
  const hy_expr *e = hy_expr_var(context, questions_variable(q, "x")),
                *z = hy_expr_var(context, questions_variable(q, "z"));
  for (int level = 0; level < 20; level++) {
    const hy_expr *sum = hy_expr_int(context, level);
    for (int divisor = 2; divisor <= 4; divisor++)
      sum =
          hy_expr_binary(context, HY_OP_ADD, sum, hy_expr_binary(context, HY_OP_DIV, e, hy_expr_int(context, divisor)));
    e = sum;
  }
  const hy_expr *fact = hy_expr_binary(context, HY_OP_EQ, z, e);
  ck_assert(hy_prover_holds(prover, &fact, 1, hy_expr_binary(context, HY_OP_GE, z, e)) == HY_YES);
  ck_assert(hy_prover_holds(prover, &fact, 1, hy_expr_binary(context, HY_OP_GT, z, e)) != HY_YES);
  hy_prover_free(prover);
  questions_free(q);
}
END_TEST

// x*x + y*y + z*z + i >= x*y + y*z + z*x holds, no sample refutes it, and no product of facts shows it.
static bool spends(questions *q, hy_prover *prover, int most) {
  hy_context *context = questions_context(q);
  const hy_expr *v[3] = {variable(q, "x", 0), variable(q, "x", 1), variable(q, "x", 2)};
  for (int i = 0; i < most && !hy_prover_is_spent(prover); i++) {
    const hy_expr *squares = hy_expr_int(context, i), *products = hy_expr_int(context, 0);
    for (int k = 0; k < 3; k++) {
      squares = hy_expr_binary(context, HY_OP_ADD, squares, hy_expr_binary(context, HY_OP_MUL, v[k], v[k]));
      products = hy_expr_binary(context, HY_OP_ADD, products, hy_expr_binary(context, HY_OP_MUL, v[k], v[(k + 1) % 3]));
    }
    ck_assert(hy_prover_holds(prover, NULL, 0, at_most(q, products, squares)) != HY_NO);
  }
  return hy_prover_is_spent(prover);
}

// In a hurry, what is spent in vain is missing until a new start; else every question has all of it.
START_TEST(spends_its_share) {
  questions *q = questions_new();
  hy_prover *prover = hy_prover_new(questions_context(q));
  ck_assert(!spends(q, prover, 20));
  hy_prover_free(prover);
  prover = hy_prover_new(questions_context(q));
  hy_prover_hurry(prover);
  ck_assert(spends(q, prover, 100000));
  hy_prover_hurry(prover);
  ck_assert(!hy_prover_is_spent(prover));
  hy_prover_free(prover);
  questions_free(q);
}
END_TEST

Suite *oracle_prover_suite(void) {
  Suite *suite = suite_create("oracle_prover");
  TCase *table = tcase_create("table");
  tcase_add_loop_test(table, proves, 0, HY_COUNT(proved));
  tcase_add_loop_test(table, does_not_prove, 0, HY_COUNT(unproved));
  tcase_add_loop_test(table, refutes, 0, HY_COUNT(refuted));
  tcase_add_loop_test(table, does_not_know, 0, HY_COUNT(unknown));
  tcase_add_test(table, extremes);
  tcase_add_test(table, chooses_among_many_facts);
  tcase_add_test(table, facts_about_other_things_do_not_count);
  tcase_add_test(table, forgets_and_goes_on);
  tcase_add_test(table, samples_see_shared_facts_once);
  tcase_add_test(table, effort_is_of_all_questions);
  tcase_add_test(table, bears_large_expressions);
  tcase_add_test(table, bears_large_formulas);
  tcase_add_test(table, bears_shared_definitions);
  tcase_add_test(table, spends_its_share);
  tcase_add_test(table, does_not_depend_on_history);
  suite_add_tcase(suite, table);
  TCase *chance = tcase_create("chance");
  tcase_set_timeout(chance, 120);
  tcase_add_loop_test(chance, agrees_with_enumeration, 0, 8);
  tcase_add_loop_test(chance, agrees_on_loops, 0, 4);
  tcase_add_loop_test(chance, evaluates_as_values_do, 0, HY_OP_COUNT);
  suite_add_tcase(suite, chance);
  return suite;
}
