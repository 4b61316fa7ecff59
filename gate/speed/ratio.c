#include "gate/speed/ratio.h"

#include "semantics/base/base.h"

#include <math.h>
#include <stdlib.h>

#define DOUBT 0.001 // how often an interval may miss the median

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// The greatest k for which the interval from the k-th to the k-th last of so many (k from 1) misses the median at most
// with probability DOUBT: 2 P(B < k) for B binomial (count, 1/2). 0: there is none.
static size_t rank_of_ends(size_t count) {
  double term = pow(0.5, (double)count), sum = term;
  size_t k = 0;
  while (2 * sum <= DOUBT && k < count) {
    k++;
    term *= (double)(count - k + 1) / (double)k;
    sum += term;
  }
  return k;
}

static double median_of(const double *sorted, size_t count) {
  if (!count) return NAN;
  return count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

static hy_ratio ratio_of(double *ratios, size_t count) {
  size_t k = rank_of_ends(count);
  qsort(ratios, count, sizeof *ratios, by_size);
  hy_ratio ratio = {0, median_of(ratios, count), INFINITY};
  if (k) ratio.low = ratios[k - 1], ratio.high = ratios[count - k];
  return ratio;
}

hy_speed_finding hy_speed_judge(const hy_lap *laps, size_t count, double allowed) {
  double *ratios = hy_allocate((count + 1) * sizeof *ratios), most = 1 + allowed;
  hy_speed_finding f = {.speed = HY_SPEED_CLOSE};
  for (size_t i = 0; i < count; i++) ratios[i] = laps[i].seconds[HY_LAP_AGAIN] / laps[i].seconds[HY_LAP_BASELINE];
  f.noise = ratio_of(ratios, count);
  for (size_t i = 0; i < count; i++)
    ratios[i] =
        2 * laps[i].seconds[HY_LAP_CANDIDATE] / (laps[i].seconds[HY_LAP_BASELINE] + laps[i].seconds[HY_LAP_AGAIN]);
  f.candidate = ratio_of(ratios, count);
  for (size_t i = 0; i < count; i++) ratios[i] = laps[i].seconds[HY_LAP_BASELINE];
  qsort(ratios, count, sizeof *ratios, by_size);
  f.seconds = median_of(ratios, count);
  free(ratios);
  // What the machine does by itself, where that is more than is allowed, has to be made up for as well.
  double noise = fmax(f.noise.high, 1 / f.noise.low), doubt = noise > most ? noise : 1;
  if (f.candidate.high * doubt <= most)
    f.speed = HY_SPEED_FINE;
  else if (f.candidate.low > most * doubt)
    f.speed = HY_SPEED_SLOWER;
  else if (doubt > 1)
    f.speed = HY_SPEED_NOISY;
  return f;
}
