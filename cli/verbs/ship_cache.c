#include "cli/verbs/ship_cache.h"

#include "cli/session/environment.h"
#include "halyard/slides.h"
#include "semantics/value/errors.h"

static const hy_loc nowhere = {0};

static void warn(hy_ship_cache *c, const char *what, const char *why) {
  hy_warn(c->session->diagnostics, HY_E_CACHE, nowhere, NULL, NULL, "%s '%s': %s", what, c->cache.folder, why);
}

// The canonical texts: what is written otherwise and means the same is found.
static bool print_texts(hy_ship_cache *c) {
  hy_session *s = c->session;
  hy_diagnostics *unheard = hy_diagnostics_new(); // whoever makes it says what is wrong with it
  hy_pipeline p;
  hy_session_pipeline(s, 0, &p);
  bool good = hy_pipeline_schedule(&p, unheard);
  if (good)
    hy_slides_add(&p); // two texts with the same directives may differ in them: chains have them, core words not
  if (good) hy_alg_print(s->alg, &c->algorithm), hy_pipeline_print_schedule(&p, &c->directives);
  hy_diagnostics_free(unheard);
  return good;
}

void hy_ship_cache_open(hy_ship_cache *c, hy_session *s, const hy_ship_wishes *wishes, const char *name) {
  const hy_cache_settings given = hy_environment_cache();
  *c = (hy_ship_cache){.session = s,
                       .cache = {.folder = s->options.cache ? s->options.cache : given.folder, .most = given.most}};
  if (!c->cache.folder || s->program || !print_texts(c))
    return; // nothing in what ships says what a program by hand was
  c->question = (hy_cache_question){.algorithm = hy_text_string(&c->algorithm),
                                    .directives = hy_text_string(&c->directives),
                                    .schedule = name,
                                    .wishes = wishes,
                                    .defers = s->options.defer_unknown};
  c->is_open = hy_cache_open(&c->cache, &c->question);
  if (!c->is_open) warn(c, "not used: the cache", "this program or its run-time library cannot be read");
}

void hy_ship_cache_close(hy_ship_cache *c) {
  hy_text_free(&c->algorithm);
  hy_text_free(&c->directives);
}

bool hy_ship_cache_find(hy_ship_cache *c, hy_shipment *out) {
  const char *why;
  *out = (hy_shipment){.manifest_name = NULL};
  if (!c->is_open) return false;
  switch (hy_cache_find(c->session->context, &c->cache, out, &why)) {
  case HY_CACHE_FOUND: return true;
  case HY_CACHE_NOT_FOUND: break;
  case HY_CACHE_DAMAGED: warn(c, "made again, for what lies in the cache is damaged,", why); break;
  }
  hy_shipment_free(out);
  *out = (hy_shipment){.manifest_name = NULL};
  return false;
}

void hy_ship_cache_keep(hy_ship_cache *c, const hy_shipment *shipment) {
  const char *why;
  if (c->is_open && !hy_cache_keep(&c->cache, shipment, hy_context_arena(c->session->context), &why))
    warn(c, "not kept in the cache", why);
}
