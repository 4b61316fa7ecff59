// The command line: -p, -i, --window, generated inputs; what is accepted, what it means, what is refused and how.

#include "cli/session/arguments.h"
#include "cli/session/options.h"
#include "engines/generator.h"
#include "proofs_tests/suites.h"
#include "semantics/value/value_parse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static hy_diagnostics *said;
static void set_up(void) { said = hy_diagnostics_new(); }
static void tear_down(void) { hy_diagnostics_free(said); }

enum { WORDS = 12 };

// Splits a line at blanks and parses it.
static bool parse(const char *line, char *store, hy_options *options) {
  char *argv[WORDS + 1] = {"halyard"};
  int argc = 1;
  strcpy(store, line);
  for (char *word = strtok(store, " "); word && argc < WORDS; word = strtok(NULL, " ")) argv[argc++] = word;
  argv[argc] = NULL;
  return hy_options_parse(options, argc, argv, said);
}

static const struct {
  const char *line;
  hy_code code;
  const char *says; // in the message or the help
} refused[] = {
    {"", HY_E_USAGE, "no verb"},
    {"rnu a.alg", HY_E_UNKNOWN_VERB, "'run'"},
    {"compile a.alg", HY_E_UNKNOWN_VERB, "unknown verb 'compile'"},
    {"frob", HY_E_UNKNOWN_VERB, "unknown verb 'frob'"},
    {"--json check", HY_E_USAGE, "verb comes first"},
    {"check a.alg --fromat json", HY_E_UNKNOWN_OPTION, "--format"},
    {"check a.alg --window x=0:1", HY_E_UNKNOWN_OPTION, "it is an option of run, bench"},
    {"check a.alg -o x.png", HY_E_UNKNOWN_OPTION, "it is an option of run"},
    {"check a.alg -q", HY_E_UNKNOWN_OPTION, "'-q'"},
    {"check a.alg --verbose=3", HY_E_USAGE, "--verbose"},
    {"run a.alg --window", HY_E_USAGE, "--window needs"},
    {"run a.alg -p", HY_E_USAGE, "--param needs"},
    {"run a.alg -p w", HY_E_USAGE, "'w'"},
    {"run a.alg -p =3", HY_E_USAGE, "'=3'"},
    {"run a.alg -p w=", HY_E_USAGE, "'w='"},
    {"run a.alg -i in", HY_E_USAGE, "'in'"},
    {"build a.alg -o a -o b", HY_E_USAGE, "second"},
    {"run a.alg --steps 0", HY_E_USAGE, "--steps"},
    {"run a.alg --steps many", HY_E_USAGE, "--steps"},
    {"check a.alg --trace", HY_E_UNKNOWN_OPTION, "--trace"},
    {"run a.alg --engine fast", HY_E_USAGE, "native, tgt, alg"},
    {"run a.alg --format xml", HY_E_USAGE, "xml"},
    {"run a.alg --window x", HY_E_WINDOW_ARGUMENT, "NAME="},
    {"run a.alg --window x=3", HY_E_WINDOW_ARGUMENT, "MIN:LEN"},
    {"run a.alg --window x=:3", HY_E_WINDOW_ARGUMENT, "MIN:LEN"},
    {"run a.alg --window x=0:", HY_E_WINDOW_ARGUMENT, "MIN:LEN"},
    {"run a.alg --window x=0:-1", HY_E_WINDOW_ARGUMENT, "negative"},
    {"run a.alg --window x=0:3,", HY_E_WINDOW_ARGUMENT, "NAME="},
    {"run a.alg --window x=0:3;y=0:3", HY_E_WINDOW_ARGUMENT, "after"},
    {"run a.alg --window x=0:3,x=0:3", HY_E_WINDOW_ARGUMENT, "twice"},
    {"run a.alg --window x=0:3 --window y=0:3", HY_E_WINDOW_ARGUMENT, "second"},
    {"run a.alg --window x=0:9223372036854775808", HY_E_WINDOW_ARGUMENT, "MIN:LEN"},
    {"run a.alg --window x=0x3:4", HY_E_WINDOW_ARGUMENT, "MIN:LEN"},
    {"verify a.alg --seed -1", HY_E_USAGE, "--seed"},
    {"verify a.alg --seed 18446744073709551616", HY_E_USAGE, "--seed"},
    {"verify a.alg --cases 0", HY_E_USAGE, "--cases"},
    {"bench a.alg --repeat many", HY_E_USAGE, "--repeat"},
    {"bench a.alg --reference-ms -3", HY_E_USAGE, "--reference-ms"},
    {"bench a.alg --reference-ms nan", HY_E_USAGE, "--reference-ms"},
};

START_TEST(refuses_lines) {
  hy_options options;
  char store[200];
  ck_assert_msg(!parse(refused[_i].line, store, &options), "accepted: %s", refused[_i].line);
  ck_assert_uint_eq(hy_diagnostics_count(said), 1);
  const hy_diagnostic *d = hy_diagnostics_at(said, 0);
  ck_assert_int_eq(d->code, refused[_i].code);
  ck_assert_msg(strstr(d->message, refused[_i].says) || (d->help && strstr(d->help, refused[_i].says)), "%s: %s (%s)",
                refused[_i].line, d->message, d->help ? d->help : "");
  hy_options_free(&options);
}
END_TEST

START_TEST(reads_a_full_line) {
  hy_options o;
  char store[200];
  ck_assert(parse("run a.alg -p w=-3 s.sched:fast -iin=photo.png@-3,5 --window=x=-640:640,yy=7:0 -o out.png -e alg",
                  store, &o));
  ck_assert_int_eq(o.verb, HY_VERB_RUN);
  ck_assert_uint_eq(o.words.count, 2);
  ck_assert_str_eq(o.words.data[0], "a.alg");
  ck_assert_str_eq(o.words.data[1], "s.sched:fast");
  ck_assert_str_eq(o.params.data[0].name, "w");
  ck_assert_str_eq(o.params.data[0].value, "-3");
  ck_assert_str_eq(o.images.data[0].name, "in");
  ck_assert_str_eq(o.images.data[0].value, "photo.png@-3,5");
  ck_assert_uint_eq(o.window.count, 2);
  ck_assert_str_eq(o.window.data[0].name, "x");
  ck_assert_int_eq(o.window.data[0].min, -640);
  ck_assert_int_eq(o.window.data[0].len, 640);
  ck_assert_str_eq(o.window.data[1].name, "yy");
  ck_assert_int_eq(o.window.data[1].len, 0);
  ck_assert_str_eq(o.output, "out.png");
  ck_assert_int_eq(o.engine, HY_ENGINE_ALG);
  ck_assert(!o.json);
  hy_options_free(&o);
  ck_assert(parse("verify a.alg --seed 18446744073709551615 --format json --cases 3", store, &o));
  ck_assert_uint_eq(o.seed, UINT64_MAX);
  ck_assert(o.json);
  ck_assert_int_eq(o.cases, 3);
  hy_options_free(&o);
  ck_assert(parse("run a.alg --trace --steps 7", store, &o));
  ck_assert(o.trace);
  ck_assert_int_eq(o.steps, 7);
  ck_assert_uint_eq(o.seed, 0); // in order, unless asked
  hy_options_free(&o);
}
END_TEST

/* -- values of -p -- */

static const struct {
  hy_type type;
  const char *text;
  bool fine;
  int64_t i; // of what type_class keeps; floats: value times 1024
} values[] = {
    {HY_INT, "-3", true, -3},
    {HY_INT, "+7", true, 7},
    {HY_INT, "9223372036854775807", true, INT64_MAX},
    {HY_INT, "-9223372036854775808", true, INT64_MIN},
    {HY_INT, "9223372036854775808", false, 0},
    {HY_INT, "", false, 0},
    {HY_INT, "3 ", false, 0},
    {HY_INT, "0x10", false, 0},
    {HY_INT, "1.0", false, 0},
    {HY_INT, "-", false, 0},
    {HY_U8, "255", true, 255},
    {HY_U8, "256", false, 0},
    {HY_U8, "-1", false, 0},
    {HY_I8, "-128", true, -128},
    {HY_I8, "128", false, 0},
    {HY_U16, "65535", true, 65535},
    {HY_U32, "4294967296", false, 0},
    {HY_I32, "-2147483649", false, 0},
    {HY_U64, "18446744073709551615", true, -1},
    {HY_U64, "18446744073709551616", false, 0},
    {HY_U64, "-0", false, 0},
    {HY_BOOL, "true", true, 1},
    {HY_BOOL, "0", true, 0},
    {HY_BOOL, "yes", false, 0},
    {HY_F32, "-1.5", true, -1536},
    {HY_F64, "1e-3", true, 1},
    {HY_F32, "1e39", false, 0},
    {HY_F64, "1e39", true, 0},
    {HY_F64, "1e999", false, 0},
    {HY_F32, "one", false, 0},
    {HY_F32, "1.5x", false, 0},
    {HY_F32, " 1", false, 0},
};

START_TEST(reads_values) {
  hy_value value;
  const char *why = NULL;
  ck_assert_msg(hy_parse_value(values[_i].text, values[_i].type, &value, &why) == values[_i].fine, "%s as %s",
                values[_i].text, hy_type_name(values[_i].type));
  if (!values[_i].fine) {
    ck_assert_ptr_nonnull(why);
    return;
  }
  ck_assert_int_eq(value.type, values[_i].type);
  ck_assert_int_eq(value.error, HY_OK);
  if (hy_type_class_of(values[_i].type) != HY_CLASS_FLOAT)
    ck_assert_int_eq(value.i, values[_i].i);
  else if (values[_i].i)
    ck_assert_int_eq((int64_t)((value.type == HY_F32 ? (double)value.f32 : value.f64) * 1024), values[_i].i);
}
END_TEST

START_TEST(reads_special_floats) {
  hy_value value;
  const char *why;
  ck_assert(hy_parse_value("inf", HY_F32, &value, &why) && isinf(value.f32));
  ck_assert(hy_parse_value("-inf", HY_F64, &value, &why) && value.f64 < 0);
  ck_assert(hy_parse_value("nan", HY_F64, &value, &why) && isnan(value.f64));
}
END_TEST

/* -- places of images -- */

static const struct {
  const char *text, *path;
  int rank;
  int64_t origin[3];
} places[] = {
    {"photo.png", "photo.png", 0, {0}},     {"photo.png@-3,5", "photo.png", 2, {-3, 5}},
    {"a@b.png", "a@b.png", 0, {0}},         {"a@b.png@7", "a@b.png", 1, {7}},
    {"a.png@", "a.png@", 0, {0}},           {"a.png@1,", "a.png@1,", 0, {0}},
    {"a.png@1,2,3", "a.png", 3, {1, 2, 3}}, {"random:4x4:1@1,2", "random:4x4:1", 2, {1, 2}},
};

START_TEST(reads_places) {
  int64_t origin[HY_MAX_RANK];
  int rank;
  char *path = hy_arguments_place(places[_i].text, origin, &rank);
  ck_assert_str_eq(path, places[_i].path);
  ck_assert_int_eq(rank, places[_i].rank);
  for (int d = 0; d < rank; d++) ck_assert_int_eq(origin[d], places[_i].origin[d]);
  free(path);
}
END_TEST

/* -- generated inputs: these values never change -- */

static const struct {
  const char *text;
  hy_type type;
  int rank;
  int64_t index;
  const char *value;
} generated[] = {
    {"zero:3x2", HY_U16, 2, 5, "0"},
    {"ramp:3x2", HY_U16, 2, 5, "5"},
    {"ramp:300", HY_U8, 1, 299, "43"},
    {"ramp:300", HY_I8, 1, 200, "-56"},
    {"ramp:3", HY_BOOL, 1, 2, "false"},
    {"ramp:4", HY_F32, 1, 3, "3.0"},
    {"random:4x4:0", HY_U64, 2, 0, "16294208416658607535"},
    {"random:4x4:0", HY_U64, 2, 1, "7960286522194355700"},
    {"random:4x4:0", HY_U8, 2, 0, "175"},
    {"random:4x4:0", HY_U16, 2, 0, "52655"},
    {"random:4x4:0", HY_BOOL, 2, 0, "true"},
    {"random:4x4:0", HY_INT, 2, 0, "2065550767"},
    {"random:2x2:1234567", HY_U64, 2, 2, "9817491932198370423"},
    {"random:4x4:0", HY_F64, 2, 0, "0.8833108082136426"},
    {"random:4x4:0", HY_F32, 2, 0, "0.8833108"},
};

START_TEST(generates) {
  hy_buffer *buffer = hy_generator_make(generated[_i].text, generated[_i].type, said);
  ck_assert_ptr_nonnull(buffer);
  ck_assert_int_eq(buffer->rank, generated[_i].rank);
  hy_text text = {0};
  hy_value_print(hy_value_load(buffer->type, buffer->data + (size_t)generated[_i].index * hy_type_bytes(buffer->type)),
                 &text);
  ck_assert_str_eq(hy_text_string(&text), generated[_i].value);
  hy_text_free(&text);
  hy_buffer_free(buffer);
}
END_TEST

static const char *const not_generated[] = {"random:3x3",
                                            "random:3x3:",
                                            "random:3x3:-1",
                                            "random:3x:1",
                                            "random:-3x3:1",
                                            "random:3x3:1x",
                                            "ramp:3x3:1",
                                            "zero:3y3",
                                            "zero:1x1x1x1x1x1x1x1x1",
                                            "ramp:99999999999999999999",
                                            "zero:4294967296x4294967296x4294967296"};

START_TEST(refuses_to_generate) {
  ck_assert(hy_generator_is(not_generated[_i]));
  ck_assert_ptr_null(hy_generator_make(not_generated[_i], HY_U8, said));
  ck_assert_uint_eq(hy_diagnostics_errors(said), 1);
}
END_TEST

START_TEST(suggests) {
  static const char *const words[] = {"check", "run", NULL, "verify"};
  ck_assert_str_eq(hy_nearest("chekc", words, 4), "check");
  ck_assert_str_eq(hy_nearest("rum", words, 4), "run");
  ck_assert_str_eq(hy_nearest("verfy", words, 4), "verify");
  ck_assert_ptr_null(hy_nearest("paint", words, 4));
  ck_assert_ptr_null(hy_nearest("x", words, 4));
}
END_TEST

Suite *driver_options_suite(void) {
  Suite *suite = suite_create("driver_options");
  TCase *tests = tcase_create("lines");
  tcase_add_checked_fixture(tests, set_up, tear_down);
  tcase_add_loop_test(tests, refuses_lines, 0, (int)HY_COUNT(refused));
  tcase_add_test(tests, reads_a_full_line);
  tcase_add_loop_test(tests, reads_values, 0, (int)HY_COUNT(values));
  tcase_add_test(tests, reads_special_floats);
  tcase_add_loop_test(tests, reads_places, 0, (int)HY_COUNT(places));
  tcase_add_loop_test(tests, generates, 0, (int)HY_COUNT(generated));
  tcase_add_loop_test(tests, refuses_to_generate, 0, (int)HY_COUNT(not_generated));
  tcase_add_test(tests, suggests);
  suite_add_tcase(suite, tests);
  return suite;
}
