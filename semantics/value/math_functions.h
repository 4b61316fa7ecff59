#ifndef HY_MATH_FUNCTIONS_H
#define HY_MATH_FUNCTIONS_H

/* The functions of math.def, for the interpreters: one pair for each operator of typing MATH that math.def defines.
 * The argument of an _f32 function is a float as a double; its result is to be rounded to float.
 */

#define HY_MATH_ROWS(ROW1, ROW2)                                                                                       \
  ROW1(sin)                                                                                                            \
  ROW1(cos)                                                                                                            \
  ROW1(tan)                                                                                                            \
  ROW1(exp)                                                                                                            \
  ROW1(log)                                                                                                            \
  ROW1(atan)                                                                                                           \
  ROW1(tanh)                                                                                                           \
  ROW2(pow) ROW2(atan2) ROW1(asin) ROW1(acos) ROW1(sinh) ROW1(cosh) ROW1(asinh) ROW1(acosh) ROW1(atanh) ROW1(erf)

#define HY_MATH_ROW1(name)                                                                                             \
  double hy_math_##name##_f32(double x);                                                                               \
  double hy_math_##name##_f64(double x);
#define HY_MATH_ROW2(name)                                                                                             \
  double hy_math_##name##_f32(double x, double y);                                                                     \
  double hy_math_##name##_f64(double x, double y);
HY_MATH_ROWS(HY_MATH_ROW1, HY_MATH_ROW2)
#undef HY_MATH_ROW1
#undef HY_MATH_ROW2

#endif
