#ifndef HY_BOX_BLUR_HAND_H
#define HY_BOX_BLUR_HAND_H

/* The box blur as a C programmer writes it: plain loops; and as an expert does: tiles, 256- or 512-bit vectors,
 * threads.
 *
 * Both compute what apps/box_blur.alg says: sums of three u16 that wrap around, divided by 3, first along x, then y.
 * "in" points to the pixel at (-1, -1) of the output's origin; strides are in elements.
 */

#include <immintrin.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* -- plain: two full passes, whatever the compiler makes of them at -O3 -- */

// As C does arithmetic: u16 promotes to int. Equal to the algorithm wherever three pixels add up to less than 65536.
static void box_blur_plain(const uint16_t *in, int in_stride, uint16_t *out, int width, int height, uint16_t *middle) {
  for (int y = 0; y < height + 2; y++)
    for (int x = 0; x < width; x++) {
      const uint16_t *p = in + (size_t)y * (size_t)in_stride + x;
      middle[(size_t)y * (size_t)width + (size_t)x] = (uint16_t)((p[0] + p[1] + p[2]) / 3);
    }
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      const uint16_t *p = middle + (size_t)y * (size_t)width + x;
      out[(size_t)y * (size_t)width + (size_t)x] = (uint16_t)((p[0] + p[width] + p[2 * width]) / 3);
    }
}

// The same with every sum cut back to u16, which lets the compiler keep narrow vectors.
static void box_blur_narrow(const uint16_t *in, int in_stride, uint16_t *out, int width, int height, uint16_t *middle) {
  for (int y = 0; y < height + 2; y++)
    for (int x = 0; x < width; x++) {
      const uint16_t *p = in + (size_t)y * (size_t)in_stride + x;
      middle[(size_t)y * (size_t)width + (size_t)x] = (uint16_t)((uint16_t)(p[0] + p[1] + p[2]) / 3);
    }
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      const uint16_t *p = middle + (size_t)y * (size_t)width + x;
      out[(size_t)y * (size_t)width + (size_t)x] = (uint16_t)((uint16_t)(p[0] + p[width] + p[2 * width]) / 3);
    }
}

/* -- by hand -- */

enum { HAND_TILE_WIDTH = 256, HAND_TILE_HEIGHT = 32 };

typedef void hand_tile(const uint16_t *in, int in_stride, uint16_t *out, int out_stride, int width, int height);

static uint16_t third(uint16_t sum) { return sum / 3; }

// A tile: the first pass into a buffer on the stack, the second out of it. floor(s / 3) = mulhi(s, 0xAAAB) >> 1.
#define HAND_TILE(name, isa, type, lanes, load, store, add, mulhi, shift, set)                                         \
  __attribute__((target(isa))) static void name(const uint16_t *in, int in_stride, uint16_t *out, int out_stride,      \
                                                int width, int height) {                                               \
    _Alignas(64) uint16_t middle[(HAND_TILE_HEIGHT + 2) * HAND_TILE_WIDTH];                                            \
    const type factor = set((short)0xAAAB);                                                                            \
    for (int y = 0; y < height + 2; y++) {                                                                             \
      const uint16_t *p = in + (long)y * in_stride;                                                                    \
      uint16_t *q = middle + y * HAND_TILE_WIDTH;                                                                      \
      int x = 0;                                                                                                       \
      for (; x + lanes <= width; x += lanes) {                                                                         \
        type s =                                                                                                       \
            add(add(load((const void *)(p + x)), load((const void *)(p + x + 1))), load((const void *)(p + x + 2)));   \
        store((void *)(q + x), shift(mulhi(s, factor), 1));                                                            \
      }                                                                                                                \
      for (; x < width; x++) q[x] = third((uint16_t)(p[x] + p[x + 1] + p[x + 2]));                                     \
    }                                                                                                                  \
    for (int y = 0; y < height; y++) {                                                                                 \
      const uint16_t *p = middle + y * HAND_TILE_WIDTH;                                                                \
      uint16_t *q = out + (long)y * out_stride;                                                                        \
      int x = 0;                                                                                                       \
      for (; x + lanes <= width; x += lanes) {                                                                         \
        type s = add(add(load((const void *)(p + x)), load((const void *)(p + x + HAND_TILE_WIDTH))),                  \
                     load((const void *)(p + x + 2 * HAND_TILE_WIDTH)));                                               \
        store((void *)(q + x), shift(mulhi(s, factor), 1));                                                            \
      }                                                                                                                \
      for (; x < width; x++) q[x] = third((uint16_t)(p[x] + p[x + HAND_TILE_WIDTH] + p[x + 2 * HAND_TILE_WIDTH]));     \
    }                                                                                                                  \
  }

HAND_TILE(hand_tile_sse2, "sse2", __m128i, 8, _mm_loadu_si128, _mm_storeu_si128, _mm_add_epi16, _mm_mulhi_epu16,
          _mm_srli_epi16, _mm_set1_epi16)
HAND_TILE(hand_tile_avx2, "avx2", __m256i, 16, _mm256_loadu_si256, _mm256_storeu_si256, _mm256_add_epi16,
          _mm256_mulhi_epu16, _mm256_srli_epi16, _mm256_set1_epi16)
HAND_TILE(hand_tile_avx512, "avx512bw", __m512i, 32, _mm512_loadu_si512, _mm512_storeu_si512, _mm512_add_epi16,
          _mm512_mulhi_epu16, _mm512_srli_epi16, _mm512_set1_epi16)

typedef struct hand_job {
  const uint16_t *in;
  uint16_t *out;
  int in_stride, width, height;
  hand_tile *tile;
  atomic_int next_row; // of tiles
} hand_job;

static void hand_rows(hand_job *job) {
  int rows = (job->height + HAND_TILE_HEIGHT - 1) / HAND_TILE_HEIGHT;
  for (int row; (row = atomic_fetch_add(&job->next_row, 1)) < rows;) {
    int y = row * HAND_TILE_HEIGHT;
    int height = job->height - y < HAND_TILE_HEIGHT ? job->height - y : HAND_TILE_HEIGHT;
    for (int x = 0; x < job->width; x += HAND_TILE_WIDTH) {
      int width = job->width - x < HAND_TILE_WIDTH ? job->width - x : HAND_TILE_WIDTH;
      job->tile(job->in + (long)y * job->in_stride + x, job->in_stride, job->out + (long)y * job->width + x, job->width,
                width, height);
    }
  }
}

/* A team of threads that waits between jobs, as a thread pool does: starting threads for every image would be unfair.
 */
typedef struct hand_team {
  pthread_mutex_t lock;
  pthread_cond_t start, done;
  hand_job *job;
  int generation, busy, count;
  bool stop;
  pthread_t threads[64];
} hand_team;

static void *hand_worker(void *self) {
  hand_team *team = self;
  int seen = 0;
  pthread_mutex_lock(&team->lock);
  for (;;) {
    while (team->generation == seen && !team->stop) pthread_cond_wait(&team->start, &team->lock);
    if (team->stop) break;
    seen = team->generation;
    hand_job *job = team->job;
    pthread_mutex_unlock(&team->lock);
    hand_rows(job);
    pthread_mutex_lock(&team->lock);
    if (--team->busy == 0) pthread_cond_signal(&team->done);
  }
  pthread_mutex_unlock(&team->lock);
  return NULL;
}

static void hand_team_start(hand_team *team, int threads) {
  *team = (hand_team){.count = threads - 1};
  pthread_mutex_init(&team->lock, NULL);
  pthread_cond_init(&team->start, NULL);
  pthread_cond_init(&team->done, NULL);
  for (int i = 0; i < team->count; i++) pthread_create(&team->threads[i], NULL, hand_worker, team);
}

static void hand_team_stop(hand_team *team) {
  pthread_mutex_lock(&team->lock);
  team->stop = true;
  pthread_cond_broadcast(&team->start);
  pthread_mutex_unlock(&team->lock);
  for (int i = 0; i < team->count; i++) pthread_join(team->threads[i], NULL);
}

static void box_blur_hand(hand_team *team, const uint16_t *in, int in_stride, uint16_t *out, int width, int height) {
  hand_tile *tile = __builtin_cpu_supports("avx512bw") ? hand_tile_avx512
                    : __builtin_cpu_supports("avx2")   ? hand_tile_avx2
                                                       : hand_tile_sse2;
  hand_job job = {in, out, in_stride, width, height, tile, 0};
  pthread_mutex_lock(&team->lock);
  team->job = &job;
  team->busy = team->count;
  team->generation++;
  pthread_cond_broadcast(&team->start);
  pthread_mutex_unlock(&team->lock);
  hand_rows(&job);
  pthread_mutex_lock(&team->lock);
  while (team->busy) pthread_cond_wait(&team->done, &team->lock);
  pthread_mutex_unlock(&team->lock);
}

#endif
