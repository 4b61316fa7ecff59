// halyard man: manual pages; halyard completion: what shells are told.

#include "cli/typing/completion.h"
#include "cli/typing/man_page.h"
#include "cli/verbs/gate_wishes.h"
#include "cli/verbs/verbs.h"

#include <string.h>

static hy_status misuse(hy_session *s, const char *help, const char *why) {
  hy_report(s->diagnostics, HY_E_USAGE, (hy_loc){0}, NULL, help, "%s", why);
  return HY_STATUS_USAGE;
}

static hy_status print(hy_session *s, hy_text *text) {
  hy_reporter_text(s->reporter, text);
  hy_text_free(text);
  return HY_STATUS_FINE;
}

// The page of a verb, or of a program; "gate" is both. False: there is none.
static bool add_page(const char *name, hy_text *out) {
  hy_verb verb;
  if (strcmp(name, "halyard") == 0) {
    hy_man_program(out);
  } else if (strcmp(name, "halyard-certcheck") == 0) {
    hy_man_certcheck(out);
  } else {
    const char *word = strncmp(name, "halyard-", 8) == 0 ? name + 8 : name;
    size_t count;
    const char *const *beyond = hy_gate_beyond(&count);
    if (!hy_verb_find(word, &verb)) return false;
    if (verb == HY_VERB_GATE)
      hy_man_gate(beyond, count, out);
    else
      hy_man_verb(verb, out);
  }
  return true;
}

hy_status hy_command_man(hy_session *s) {
  hy_text page = {0};
  if (s->options.words.count > 1) return misuse(s, "halyard man VERB", "'man' prints one page");
  if (!add_page(s->options.words.count ? s->options.words.data[0] : "halyard", &page))
    return misuse(s, "'halyard help' lists the verbs; the programs are halyard, halyard-gate and halyard-certcheck",
                  "there is no page of that name");
  return print(s, &page);
}

hy_status hy_command_completion(hy_session *s) {
  static const char help[] = "halyard completion bash, zsh or fish";
  hy_text script = {0};
  if (s->options.words.count != 1) return misuse(s, help, "'completion' takes the name of a shell");
  if (!hy_completion(s->options.words.data[0], &script)) return misuse(s, help, "no completion for such a shell");
  return print(s, &script);
}
