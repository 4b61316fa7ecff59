#ifndef HY_SHIP_CACHE_H
#define HY_SHIP_CACHE_H

/* halyard ship --cache DIR. */

#include "cli/session/session.h"
#include "gate/cache/cache.h"

typedef struct hy_ship_cache {
  hy_session *session;
  hy_cache cache;
  hy_cache_question question;
  hy_text algorithm, directives;
  bool is_open; // false: none was named, it is a target program by hand, or nothing can be known by a name
} hy_ship_cache;

// requires: the session is loaded; the wishes stay as they are until the cache is closed
//   name: of the schedule
void hy_ship_cache_open(hy_ship_cache *cache, hy_session *session, const hy_ship_wishes *wishes, const char *name);
void hy_ship_cache_close(hy_ship_cache *cache);

// True: the shipment is there, judged. What is there and is no such thing is told, as a warning.
bool hy_ship_cache_find(hy_ship_cache *cache, hy_shipment *out);
// What cannot be kept is told as a warning: nothing is lost by that.
void hy_ship_cache_keep(hy_ship_cache *cache, const hy_shipment *shipment);

#endif
