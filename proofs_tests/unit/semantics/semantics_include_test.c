/* Files that are included (ALG.Expand.Include): what the program is, which file a path means, and what is refused. */

#include "proofs_tests/suites.h"
#include "semantics/base/source_files.h"
#include "semantics/semantics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
  const char *name, *text; // a file; NULL: no more
} file;

enum { MOST_FILES = 6 };

typedef struct {
  char folder[64];
  hy_context *context;
  hy_diagnostics *diagnostics;
  hy_source_files *files;
  hy_text said;
} program;

static void in_folder(const program *p, const char *name, char path[256]) {
  snprintf(path, 256, "%s/%s", p->folder, name);
}

static void begin(program *p, const file *files) {
  *p = (program){.folder = "/tmp/halyard_include_XXXXXX"};
  ck_assert(mkdtemp(p->folder) != NULL);
  char path[256];
  in_folder(p, "lib", path);
  ck_assert_int_eq(mkdir(path, 0755), 0);
  for (int i = 0; i < MOST_FILES && files[i].name; i++) {
    in_folder(p, files[i].name, path);
    FILE *out = fopen(path, "w");
    ck_assert(out && fputs(files[i].text, out) >= 0 && fclose(out) == 0);
  }
  p->context = hy_context_new();
  p->diagnostics = hy_diagnostics_new();
  p->files = hy_source_files_new();
  hy_context_use_sources(p->context, hy_source_files_find, p->files);
}

static const hy_alg *read_main(program *p) {
  char path[256];
  const char *why = NULL;
  in_folder(p, "main.alg", path);
  const hy_source *source = hy_source_files_read(p->files, path, &why);
  ck_assert_msg(source != NULL, "%s", why);
  const hy_alg *alg = hy_parse_alg(p->context, source, p->diagnostics);
  hy_diagnostics_print(p->diagnostics, &p->said);
  return alg;
}

static void end(program *p, const file *files) {
  char path[256];
  hy_diagnostics_free(p->diagnostics);
  hy_context_free(p->context);
  hy_source_files_free(p->files);
  hy_text_free(&p->said);
  for (int i = 0; i < MOST_FILES && files[i].name; i++) {
    in_folder(p, files[i].name, path);
    unlink(path);
  }
  in_folder(p, "lib", path);
  rmdir(path);
  rmdir(p->folder);
}

/* -- what the program is -- */

#define ONE "pipeline p() {\n  fun g(x) = x*3;\n  fun f(x) = g(x) + 4;\n}\n"
#define TWO "pipeline p() {\n  fun a(x) = x;\n  fun b(x) = a(x);\n  fun f(x) = b(x);\n}\n"

static const struct {
  file files[MOST_FILES];
  const char *program;
} good[] = {
    {{{"main.alg", "pipeline p() { include \"g.alg\"; fun f(x) = g(x) + 4; }"}, {"g.alg", "fun g(x) = x*3;"}}, ONE},
    {{{"main.alg", "pipeline p() { include \"g.alg\"; fun f(x) = g(x) + N; }"},
      {"g.alg", "// ours\nconst N = 4;\ndef t(e) = e*3;\nfun g(x) = t(x);\n"}},
     ONE},
    {{{"main.alg", "pipeline p() { fun g(x) = x*3; include \"f.alg\"; }"}, {"f.alg", "fun f(x) = g(x) + 4;"}}, ONE},
    {{{"main.alg", "pipeline p() { include \"g.alg\"; fun f(x) = g_3(x) + 4; }"},
      {"g.alg", "for k in 3..3 fun g[k](x) = x*k;"}},
     "pipeline p() {\n  fun g_3(x) = x*3;\n  fun f(x) = g_3(x) + 4;\n}\n"},
    // nothing, and what has nothing in it
    {{{"main.alg", "pipeline p() { include \"g.alg\"; fun g(x) = x*3; fun f(x) = g(x) + 4; }"}, {"g.alg", ""}}, ONE},
    {{{"main.alg", "pipeline p() { include \"g.alg\"; fun g(x) = x*3; fun f(x) = g(x) + 4; }"}, {"g.alg", "// none\n"}},
     ONE},
    // a path is read where it is written
    {{{"main.alg", "pipeline p() { include \"lib/b.alg\"; fun f(x) = b(x); }"},
      {"lib/b.alg", "include \"a.alg\"; fun b(x) = a(x);"},
      {"lib/a.alg", "fun a(x) = x;"},
      {"a.alg", "fun a(x) = x + 1;"}},
     TWO},
    {{{"main.alg", "pipeline p() { include \"lib/b.alg\"; fun f(x) = b(x); }"},
      {"lib/b.alg", "include \"../a.alg\"; fun b(x) = a(x);"},
      {"a.alg", "fun a(x) = x;"}},
     TWO},
    // once, whoever includes it, and however the path is written
    {{{"main.alg",
       "pipeline p() { include \"a.alg\"; include \"lib/b.alg\"; include \"./lib/../a.alg\"; fun f(x) = b(x); }"},
      {"lib/b.alg", "include \"../a.alg\"; fun b(x) = a(x);"},
      {"a.alg", "fun a(x) = x;"}},
     TWO},
    // round in a circle
    {{{"main.alg", "pipeline p() { include \"b.alg\"; fun f(x) = b(x); }"},
      {"b.alg", "include \"a.alg\"; fun b(x) = a(x);"},
      {"a.alg", "include \"b.alg\"; include \"a.alg\"; fun a(x) = x;"}},
     TWO},
    // the word is none elsewhere
    {{{"main.alg", "pipeline p() { fun include(x) = x*3; fun f(x) = include(x) + 4; }"}},
     "pipeline p() {\n  fun include(x) = x*3;\n  fun f(x) = include(x) + 4;\n}\n"},
};

START_TEST(items_stand_in_its_place) {
  program p;
  begin(&p, good[_i].files);
  const hy_alg *alg = read_main(&p);
  ck_assert_msg(alg != NULL, "%s", hy_text_string(&p.said));
  hy_text text = {0};
  hy_alg_print(alg, &text);
  ck_assert_str_eq(hy_text_string(&text), good[_i].program);
  hy_text_free(&text);
  end(&p, good[_i].files);
}
END_TEST

/* -- refused -- */

#define P(items) "pipeline p() { " items " fun f(x) = x; }"

static const struct {
  file files[MOST_FILES];
  const char *says[3]; // each in what is said
} wrong[] = {
    {{{"main.alg", P("include \"no.alg\";")}}, {"main.alg:1:24: error[HY0113]", "'no.alg': No such file"}},
    {{{"main.alg", P("include \"\";")}}, {"error[HY0113]", "it has no name"}},
    {{{"main.alg", P("include \"lib\";")}}, {"error[HY0113]", "Is a directory"}},
    {{{"main.alg", P("include \"/dev/zero\";")}}, {"error[HY0113]", "it is no regular file"}},
    {{{"main.alg", P("include g;")}}, {"1:24: error[HY0101]", "expected a file's name", "include \"curves.alg\";"}},
    {{{"main.alg", P("include \"g.alg\"")}, {"g.alg", ""}}, {"HY0101", "expected ';' after the file's name"}},
    {{{"main.alg", P("include \"g.alg;")}}, {"HY0102", "'\"' means nothing"}},
    {{{"main.alg", P("include \"g\x01.alg\";")}}, {"HY0102", "'\"' means nothing"}},
    {{{"main.alg", P("for k in 0..1 { include \"g.alg\"; }")}, {"g.alg", ""}},
     {"HY0113", "not included in a 'for' or an 'if'"}},
    {{{"main.alg", P("if true { include \"g.alg\"; }")}, {"g.alg", ""}},
     {"HY0113", "not included in a 'for' or an 'if'"}},
    {{{"main.alg", P("include \"g.alg\";")}, {"g.alg", "pipeline q() { fun g(x) = x; }"}},
     {"g.alg:1:1: error[HY0101]", "without a pipeline", "main.alg:1:16: note: included here"}},
    {{{"main.alg", P("include \"main.alg\"; fun f(x) = x;")}}, {"main.alg:1:", "HY0302"}}, // it adds nothing
    {{{"main.alg", P("include \"a.alg\";")}, {"a.alg", "include \"b.alg\";"}, {"b.alg", "\nfun b(x) = ;"}},
     {"b.alg:2:12: error[HY0101]", "a.alg:1:1: note: included here", "main.alg:1:16: note: included here"}},
    {{{"main.alg", P("include \"a.alg\";")}, {"a.alg", "fun a(x) = x; }"}},
     {"a.alg:1:15: error[HY0101]", "the end of the file"}},
    {{{"main.alg", P("include \"a.alg\";")}, {"a.alg", "\n fun a(x) = q;"}},
     {"a.alg:2:13: error[HY0201]", "called 'q'"}},
    {{{"main.alg", P("include \"a.alg\";")}, {"a.alg", "fun f(x) = x;"}}, {"main.alg:1:37: error[HY0302]"}},
    {{{"main.alg", P("include \"a.alg\";")}, {"a.alg", "fun \xff(x) = x;"}}, {"a.alg:1:5: error[HY0105]"}},
    {{{"main.alg", "fun f(x) = x;"}}, {"main.alg:1:1: error[HY0101]", "for one that includes this file"}},
};

START_TEST(refused) {
  program p;
  begin(&p, wrong[_i].files);
  ck_assert(!read_main(&p));
  for (int i = 0; i < 3 && wrong[_i].says[i]; i++)
    ck_assert_msg(strstr(hy_text_string(&p.said), wrong[_i].says[i]) != NULL, "%s\n%s", wrong[_i].says[i],
                  hy_text_string(&p.said));
  end(&p, wrong[_i].files);
}
END_TEST

// A text that is no file, or of somebody who may not read ours.
START_TEST(nothing_where_nobody_looks) {
  static const char text[] = P("include \"/etc/hostname\";");
  hy_source source = {"given", text, strlen(text)};
  hy_context *context = hy_context_new();
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  ck_assert(!hy_parse_alg(context, &source, diagnostics));
  ck_assert_uint_eq(hy_diagnostics_at(diagnostics, 0)->code, HY_E_INCLUDE);
  hy_diagnostics_free(diagnostics);
  hy_context_free(context);
}
END_TEST

// Each file the next one.
START_TEST(many_are_refused) {
  hy_context *context = hy_context_new();
  hy_diagnostics *diagnostics = hy_diagnostics_new();
  hy_source_files *files = hy_source_files_new();
  char folder[] = "/tmp/halyard_include_XXXXXX", path[64];
  ck_assert(mkdtemp(folder) != NULL);
  for (int i = 0; i < 300; i++) {
    snprintf(path, sizeof path, "%s/%d", folder, i);
    FILE *out = fopen(path, "w");
    ck_assert(out && fprintf(out, "include \"%d\";", i + 1) > 0 && fclose(out) == 0);
  }
  static const char text[] = P("include \"0\";");
  hy_text name = {0};
  hy_text_printf(&name, "%s/main", folder);
  hy_source source = {hy_text_string(&name), text, strlen(text)};
  hy_context_use_sources(context, hy_source_files_find, files);
  ck_assert(!hy_parse_alg(context, &source, diagnostics));
  ck_assert_uint_eq(hy_diagnostics_at(diagnostics, 0)->code, HY_E_TOO_MANY);
  for (int i = 0; i < 300; i++) {
    snprintf(path, sizeof path, "%s/%d", folder, i);
    unlink(path);
  }
  rmdir(folder);
  hy_text_free(&name);
  hy_diagnostics_free(diagnostics);
  hy_context_free(context);
  hy_source_files_free(files);
}
END_TEST

Suite *semantics_include_suite(void) {
  Suite *suite = suite_create("semantics_include");
  TCase *tests = tcase_create("include");
  tcase_add_loop_test(tests, items_stand_in_its_place, 0, HY_COUNT(good));
  tcase_add_loop_test(tests, refused, 0, HY_COUNT(wrong));
  tcase_add_test(tests, nothing_where_nobody_looks);
  tcase_add_test(tests, many_are_refused);
  suite_add_tcase(suite, tests);
  return suite;
}
