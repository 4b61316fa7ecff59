#include "codegen/profile.h"

#include "semantics/base/clock.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

enum { MEAN_NANOSECONDS = 500 * 1000, IDLE = -1 };

// One thread's; what generated code writes.
typedef struct record {
  _Atomic int32_t doing; // a func, one of HY_PROFILE_EXTRA behind them, or IDLE
  struct record *next;
  _Alignas(HY_PROFILE_COUNTERS) _Atomic uint64_t counters[];
} record;
_Static_assert(offsetof(record, doing) == 0 && offsetof(record, counters) == HY_PROFILE_COUNTERS, "as documented");

// Before a block of the heap.
typedef struct header {
  uint64_t bytes, func;
  _Alignas(64) unsigned char memory[];
} header;

static struct {
  pthread_mutex_t lock;
  pthread_t sampler;
  pthread_cond_t woken;
  bool has_sampler, is_awake, is_over;
  _Atomic uint64_t session; // counts profiles: a thread's record is of one
  uint32_t symbols;
  record *records;
  record *spare;  // of all threads for which there is no memory any more: a run cannot be left in its midst
  uint64_t *hits; // samples by what is done
  uint64_t samples;
  double waking;
  _Atomic uint64_t *bytes, *peaks; // by func, the last: of all
} now = {.lock = PTHREAD_MUTEX_INITIALIZER, .woken = PTHREAD_COND_INITIALIZER};

static _Thread_local record *own;
static _Thread_local uint64_t own_session;

/* -- records -- */

static size_t record_bytes(void) { return sizeof(record) + 2 * (size_t)now.symbols * sizeof(uint64_t); }

// NULL: there is no memory.
static record *new_record(void) {
  record *r = hy_try_allocate(HY_PROFILE_COUNTERS, record_bytes());
  if (!r) return NULL;
  memset(r, 0, record_bytes());
  r->doing = IDLE;
  pthread_mutex_lock(&now.lock);
  r->next = now.records;
  now.records = r;
  pthread_mutex_unlock(&now.lock);
  return r;
}

void *hy_profile_record(void) {
  if (own && own_session == now.session) return own;
  own = new_record();
  own_session = now.session;
  return own ? own : (own = now.spare);
}

/* -- samples -- */

// requires: the lock is held. What each thread is doing now.
static void take_sample(void) {
  for (record *r = now.records; r; r = r->next) {
    int32_t doing = atomic_load_explicit(&r->doing, memory_order_relaxed);
    if (doing >= 0 && (uint32_t)doing < now.symbols + HY_PROFILE_EXTRA) now.hits[doing]++;
  }
  now.samples++;
}

// Pauses without memory: wherever a run begins, each moment of it is met as often as any other, however short it is.
static void pause_for_a_while(uint64_t *state) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  double uniform = ((double)(*state >> 11) + 1) / ((double)(UINT64_C(1) << 53) + 1), pause = -log(uniform);
  nanosleep(&(struct timespec){.tv_nsec = (long)(fmin(pause, 1000) * MEAN_NANOSECONDS)}, NULL);
}

static void *sample(void *unused) {
  (void)unused;
  uint64_t state = 1;
  pthread_mutex_lock(&now.lock);
  while (!now.is_over) {
    if (!now.is_awake) {
      pthread_cond_wait(&now.woken, &now.lock);
      continue;
    }
    pthread_mutex_unlock(&now.lock);
    pause_for_a_while(&state);
    pthread_mutex_lock(&now.lock);
    if (now.is_awake) take_sample();
  }
  pthread_mutex_unlock(&now.lock);
  return NULL;
}

// The clock runs while it is awake.
static void set_awake(bool is_awake) {
  pthread_mutex_lock(&now.lock);
  now.is_awake = is_awake;
  now.waking += is_awake ? -hy_seconds() : hy_seconds();
  pthread_cond_signal(&now.woken);
  pthread_mutex_unlock(&now.lock);
}

void hy_profile_wake(void) {
  if (!now.has_sampler) now.has_sampler = pthread_create(&now.sampler, NULL, sample, NULL) == 0; // else no samples
  set_awake(true);
}

void hy_profile_sleep(void) { set_awake(false); }

static void end_sampler(void) {
  if (!now.has_sampler) return;
  pthread_mutex_lock(&now.lock);
  now.is_over = true;
  pthread_cond_signal(&now.woken);
  pthread_mutex_unlock(&now.lock);
  pthread_join(now.sampler, NULL);
  now.has_sampler = now.is_over = false;
}

/* -- heap -- */

static void raise(_Atomic uint64_t *peak, uint64_t bytes) {
  uint64_t before = atomic_load(peak);
  while (before < bytes && !atomic_compare_exchange_weak(peak, &before, bytes)) {
  }
}

void *hy_profile_allocate(uint64_t bytes, uint64_t func) {
  header *h = bytes > UINT64_MAX - sizeof *h ? NULL : hy_runtime_allocate(bytes + sizeof *h);
  if (!h) return NULL;
  *h = (header){.bytes = bytes, .func = func};
  raise(&now.peaks[func], atomic_fetch_add(&now.bytes[func], bytes) + bytes);
  raise(&now.peaks[now.symbols], atomic_fetch_add(&now.bytes[now.symbols], bytes) + bytes);
  return h->memory;
}

void hy_profile_release(void *memory) {
  if (!memory) return;
  header *h = (header *)((unsigned char *)memory - sizeof *h);
  atomic_fetch_sub(&now.bytes[h->func], h->bytes);
  atomic_fetch_sub(&now.bytes[now.symbols], h->bytes);
  hy_runtime_free(h);
}

/* -- profiles -- */

void hy_profile_begin(uint32_t symbols) {
  HY_ASSERT(!now.hits);
  now.session++;
  now.symbols = symbols;
  now.hits = hy_allocate_zeroed(symbols + HY_PROFILE_EXTRA, sizeof *now.hits);
  now.bytes = hy_allocate_zeroed(symbols + 1u, sizeof *now.bytes);
  now.peaks = hy_allocate_zeroed(symbols + 1u, sizeof *now.peaks);
  now.waking = 0;
  now.samples = 0;
  while (!(now.spare = new_record())) hy_free(hy_allocate(record_bytes())); // which says that there is no memory
}

static void add_counters(hy_profile *p) {
  while (now.records) {
    record *r = now.records;
    now.records = r->next;
    HY_ASSERT(r->doing == IDLE); // a function has left nothing behind
    for (uint32_t i = 0; i < p->symbols; i++) {
      p->funcs[i].points += r->counters[2 * i];
      p->funcs[i].updates += r->counters[2 * i + 1];
    }
    hy_free(r);
  }
  now.spare = NULL;
}

// Each sample stands for as much of the time as any other.
static void add_seconds(hy_profile *p) {
  double each = now.samples ? now.waking / (double)now.samples : 0;
  for (uint32_t i = 0; i < p->symbols + HY_PROFILE_EXTRA; i++) {
    p->funcs[i].seconds = each * (double)now.hits[i];
    p->thread_seconds += p->funcs[i].seconds;
  }
}

void hy_profile_end(hy_profile *profile) {
  uint32_t count = now.symbols + HY_PROFILE_EXTRA;
  end_sampler();
  *profile = (hy_profile){.funcs = hy_allocate_zeroed(count, sizeof *profile->funcs), .symbols = now.symbols};
  profile->samples = now.samples;
  profile->peak_bytes = now.peaks[now.symbols];
  for (uint32_t i = 0; i < now.symbols; i++) profile->funcs[i].peak_bytes = now.peaks[i];
  add_seconds(profile);
  add_counters(profile);
  now.session++; // threads that live on have lost their records
  hy_free(now.hits);
  hy_free((void *)now.bytes);
  hy_free((void *)now.peaks);
  now.hits = NULL;
}

void hy_profile_free(hy_profile *profile) {
  hy_free(profile->funcs);
  *profile = (hy_profile){0};
}
