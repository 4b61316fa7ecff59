#include "codegen/runtime/hooks.h"
#include "codegen/runtime/runtime.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

/* A loop is offered as a job on a list; whoever is free takes chunks of it. The thread that started the loop works on
 * it too, and finishes it alone if nobody comes: so nothing here can deadlock, however loops nest. While it waits for
 * the last chunks of others it helps with jobs that those chunks have started, and only with those: helping strangers
 * would let its stack, and the time until it returns, grow without bound.
 */

enum { LARGEST_POOL = 512, SPINS = 4000 };

typedef struct job {
  hy_runtime_task *task;
  void *closure;
  int64_t min;
  uint64_t len;
  _Atomic uint64_t next;  // iterations handed out so far
  _Atomic int32_t status; // of the first failure
  _Atomic int helpers;    // other threads inside; rises only under the lock while the job is listed
  struct job *parent;     // the job that the starting thread was working on
  struct job *older;      // on the list
} job;

static struct {
  pthread_mutex_t lock;
  pthread_cond_t work; // workers sleep here
  pthread_cond_t done; // starters sleep here
  job *newest;
  _Atomic uint64_t version; // rises with every new job and every departing helper
  int waiting_starters, sleeping_workers;
  bool started, stop;
  int thread_count; // besides the callers
  pthread_t threads[LARGEST_POOL];
} pool = {.lock = PTHREAD_MUTEX_INITIALIZER, .work = PTHREAD_COND_INITIALIZER, .done = PTHREAD_COND_INITIALIZER};

static _Thread_local job *current;
static _Atomic int told_threads; // by hy_runtime_use_threads; then the environment is not looked at

static int wanted_threads(void) {
  const char *text = told_threads ? NULL : getenv("HALYARD_NUM_THREADS");
  long wanted = text ? strtol(text, NULL, 10) : told_threads;
  if (wanted < 1) {
    cpu_set_t set;
    wanted = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : sysconf(_SC_NPROCESSORS_ONLN);
  }
  if (wanted < 1) wanted = 1;
  return wanted > LARGEST_POOL ? LARGEST_POOL : (int)wanted;
}

/* -- working on a job -- */

// Large chunks first (neighbouring iterations share data), single iterations at the end (threads finish together).
static bool take_chunk(job *j, int threads, uint64_t *begin, uint64_t *end) {
  uint64_t next = atomic_load_explicit(&j->next, memory_order_relaxed), step;
  do {
    if (next >= j->len) return false;
    step = (j->len - next) / (4 * (uint64_t)threads);
    if (step == 0) step = 1;
  } while (
      !atomic_compare_exchange_weak_explicit(&j->next, &next, next + step, memory_order_relaxed, memory_order_relaxed));
  *begin = next;
  *end = next + step;
  return true;
}

static void work_on(job *j, int threads) {
  job *outer = current;
  current = j;
  uint64_t begin, end;
  while (take_chunk(j, threads, &begin, &end)) {
    int32_t status = j->task(j->closure, j->min + (int64_t)begin, j->min + (int64_t)end);
    if (status != 0) {
      int32_t none = 0;
      atomic_compare_exchange_strong(&j->status, &none, status);
      atomic_store(&j->next, j->len);
    }
  }
  current = outer;
}

static bool descends(const job *j, const job *ancestor) {
  for (; j; j = j->parent)
    if (j == ancestor) return true;
  return false;
}

// requires: the lock is held. A listed job that has iterations left, below "ancestor" (NULL: any).
static job *find_job(const job *ancestor) {
  for (job *j = pool.newest; j; j = j->older)
    if (atomic_load_explicit(&j->next, memory_order_relaxed) < j->len && (!ancestor || descends(j->parent, ancestor)))
      return j;
  return NULL;
}

// requires: the lock is held; it is released meanwhile
static void help(job *j) {
  int threads = pool.thread_count + 1;
  atomic_fetch_add(&j->helpers, 1);
  pthread_mutex_unlock(&pool.lock);
  work_on(j, threads);
  pthread_mutex_lock(&pool.lock);
  // The starter may return as soon as this is zero: the job is not touched again.
  if (atomic_fetch_sub(&j->helpers, 1) == 1) {
    atomic_fetch_add(&pool.version, 1);
    if (pool.waiting_starters) pthread_cond_broadcast(&pool.done);
  }
}

// Looks for a change for some microseconds before it is worth sleeping.
static void spin(uint64_t seen) {
  for (int i = 0; i < SPINS && atomic_load_explicit(&pool.version, memory_order_relaxed) == seen; i++) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
}

static void *worker(void *unused) {
  (void)unused;
  bool rested = false;
  pthread_mutex_lock(&pool.lock);
  while (!pool.stop) {
    job *j = find_job(NULL);
    if (j) {
      help(j);
      rested = false;
    } else if (!rested) {
      uint64_t seen = atomic_load(&pool.version);
      pthread_mutex_unlock(&pool.lock);
      spin(seen);
      pthread_mutex_lock(&pool.lock);
      rested = atomic_load(&pool.version) == seen;
    } else {
      pool.sleeping_workers++;
      pthread_cond_wait(&pool.work, &pool.lock);
      pool.sleeping_workers--;
      rested = false;
    }
  }
  pthread_mutex_unlock(&pool.lock);
  return NULL;
}

/* -- life of the pool -- */

// In a forked child only the calling thread lives on: it starts with no pool.
static void forget_after_fork(void) {
  pthread_mutex_init(&pool.lock, NULL);
  pthread_cond_init(&pool.work, NULL);
  pthread_cond_init(&pool.done, NULL);
  pool.newest = NULL;
  pool.waiting_starters = pool.sleeping_workers = pool.thread_count = 0;
  pool.started = pool.stop = false;
  current = NULL;
}

static void watch_forks(void) { pthread_atfork(NULL, NULL, forget_after_fork); }

// requires: the lock is held
static void start_pool(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, watch_forks);
  int count = wanted_threads() - 1;
  pool.thread_count = 0;
  pool.stop = false;
  // A thread that cannot be made is one helper less.
  while (pool.thread_count < count && pthread_create(&pool.threads[pool.thread_count], NULL, worker, NULL) == 0)
    pool.thread_count++;
  pool.started = true;
}

static int threads_of_pool(void) {
  pthread_mutex_lock(&pool.lock);
  if (!pool.started) start_pool();
  int count = pool.thread_count + 1;
  pthread_mutex_unlock(&pool.lock);
  return count;
}

int hy_runtime_thread_count(void) { return threads_of_pool(); }

__attribute__((destructor)) void hy_runtime_shutdown(void) {
  pthread_mutex_lock(&pool.lock);
  int count = pool.started ? pool.thread_count : 0;
  pool.stop = true;
  pthread_cond_broadcast(&pool.work);
  pthread_mutex_unlock(&pool.lock);
  for (int i = 0; i < count; i++) pthread_join(pool.threads[i], NULL);
  pthread_mutex_lock(&pool.lock);
  pool.started = pool.stop = false;
  pool.thread_count = 0;
  pthread_mutex_unlock(&pool.lock);
}

int hy_runtime_use_threads(int count) {
  hy_runtime_shutdown();
  return atomic_exchange(&told_threads, count);
}

/* -- loops -- */

// requires: the lock is held
static void list(job *j) {
  j->older = pool.newest;
  pool.newest = j;
  atomic_fetch_add(&pool.version, 1);
  if (pool.sleeping_workers) pthread_cond_broadcast(&pool.work);
  if (pool.waiting_starters) pthread_cond_broadcast(&pool.done);
}

// requires: the lock is held. From here on no helper joins.
static void unlist(job *j) {
  job **link = &pool.newest;
  while (*link != j) link = &(*link)->older;
  *link = j->older;
}

// requires: the lock is held
static void wait_for_helpers(job *j) {
  bool rested = false;
  while (atomic_load(&j->helpers) > 0) {
    job *below = find_job(j);
    if (below) {
      help(below);
      rested = false;
    } else if (!rested) {
      uint64_t seen = atomic_load(&pool.version);
      pthread_mutex_unlock(&pool.lock);
      spin(seen);
      pthread_mutex_lock(&pool.lock);
      rested = atomic_load(&pool.version) == seen;
    } else {
      pool.waiting_starters++;
      pthread_cond_wait(&pool.done, &pool.lock);
      pool.waiting_starters--;
      rested = false;
    }
  }
}

int32_t hy_runtime_parallel_for(int64_t min, int64_t len, hy_runtime_task *task, void *closure) {
  if (len <= 0) return 0;
  if (len == 1) return task(closure, min, min + 1);
  if (hy_hooks_now.parallel_for) return hy_hooks_now.parallel_for(min, len, task, closure);
  pthread_mutex_lock(&pool.lock);
  if (!pool.started) start_pool();
  int threads = pool.thread_count + 1;
  if (threads == 1) {
    pthread_mutex_unlock(&pool.lock);
    return task(closure, min, min + len);
  }
  job j = {.task = task, .closure = closure, .min = min, .len = (uint64_t)len, .parent = current};
  list(&j);
  pthread_mutex_unlock(&pool.lock);
  work_on(&j, threads);
  pthread_mutex_lock(&pool.lock);
  unlist(&j);
  wait_for_helpers(&j);
  pthread_mutex_unlock(&pool.lock);
  return atomic_load(&j.status);
}
