// What fuzzing keeps: case files, tallies, the folder of a campaign; and what is refused of them.

#include "fuzz/campaign/campaign.h"
#include "plugin/plugin.h"
#include "proofs_tests/suites.h"

#include <dirent.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static const char good_case[] =
    "halyard case 1\n# found: disagree\nseed: 17\nlanes: 1,2\nrelation: rename\nrefused: yes\n"
    "altered: cpu f.x low +1\nplugin: reverse my reverse.so\n"
    "input: 99 window -3:5 0:7 params 2 1 0 0\n--- algorithm\npipeline p() {\n  fun f(x) = x;\n}\n"
    "--- schedule\n  split(f.s0.x, a, b, 4);\n--- written out\npipeline p() {\n  fun f(x) = (x);\n}\n";

START_TEST(case_comes_back) {
  hy_case c, again;
  const char *why;
  hy_text text = {0}, second = {0};
  ck_assert(hy_case_parse(good_case, &c, &why));
  ck_assert_uint_eq(c.seed, 17);
  ck_assert_uint_eq(c.lanes, HY_LANE_INTERPRET | HY_LANE_QUERY);
  ck_assert_int_eq((int)c.relation, HY_RELATION_RENAME);
  ck_assert(c.illegal);
  ck_assert_str_eq(c.altered, "cpu f.x low +1");
  ck_assert_int_eq(c.needed_count, 1);
  ck_assert_str_eq(c.needed[0].name, "reverse");
  ck_assert_str_eq(c.needed[0].file, "my reverse.so");
  ck_assert_int_eq(c.input_count, 1);
  ck_assert_int_eq((int)c.inputs[0].min[0], -3);
  ck_assert_int_eq((int)c.inputs[0].len[1], 7);
  ck_assert_int_eq((int)c.inputs[0].params[0], 2);
  ck_assert_str_eq(c.items, "  split(f.s0.x, a, b, 4);\n");
  ck_assert_str_eq(c.written, "pipeline p() {\n  fun f(x) = (x);\n}\n");
  hy_case_print(&c, "two\nnotes", &text);
  ck_assert(hy_case_parse(text.data, &again, &why));
  hy_case_print(&again, "two\nnotes", &second);
  ck_assert_str_eq(text.data, second.data);
  hy_case_free(&c);
  hy_case_free(&again);
  hy_text_free(&text);
  hy_text_free(&second);
}
END_TEST

// However many plug-ins there are: what is printed can be read.
START_TEST(case_of_many_plugins) {
  enum { MANY = HY_CASE_PLUGINS + 3 };
  hyd_directive directives[MANY] = {0};
  hy_plugin plugins[MANY];
  const hy_plugin *items[MANY];
  char names[MANY][8], path[600] = "/";
  hy_text schedule = {0}, text = {0};
  memset(path + 1, 'd', 400); // a folder longer than any message
  strcpy(path + 400, "/many.so");
  for (int i = 0; i < MANY; i++) {
    snprintf(names[i], sizeof names[i], "p%d", i);
    directives[i].name = names[i];
    plugins[i] = hy_plugin_make(&directives[i], path, i);
    items[i] = &plugins[i];
    if (i != 1) hy_text_printf(&schedule, "  p%d(f.s0.x);\n", i);
  }
  hy_plugins all = {items, MANY, NULL, NULL};
  hy_case c, again;
  const char *why = "";
  ck_assert(hy_case_parse(good_case, &c, &why));
  free(c.items);
  c.items = schedule.data;
  c.plugins = &all;
  hy_case_print(&c, NULL, &text);
  ck_assert_msg(hy_case_parse(text.data, &again, &why), "%s", why);
  ck_assert_int_eq(again.needed_count, HY_CASE_PLUGINS);
  ck_assert_str_eq(again.needed[1].name, "p2"); // those that are used
  ck_assert_str_eq(again.needed[1].file, "many.so");
  hy_case_free(&c);
  hy_case_free(&again);
  hy_text_free(&text);
}
END_TEST

// A piece of the good case, and what stands in its place.
static const struct {
  const char *from, *to, *why;
} spoilt[] = {
    {"halyard case 1", "halyard case 2", "does not begin"},
    {"halyard case 1\n", "", "does not begin"},
    {"--- algorithm", "--- algorism", "no line '--- algorithm'"},
    {"--- schedule", "--- sched", "no line '--- schedule'"},
    {"seed: 17", "seed: 17x", "seed"},
    {"seed: 17", "sead: 17", "a line in its head"},
    {"lanes: 1,2", "lanes: 1,7", "lanes"},
    {"lanes: 1,2", "lanes:", "a line in its head"},
    {"relation: rename", "relation: rename2", "relation"},
    {"altered: cpu", "altered: cpo", "alteration"},
    {"altered: cpu f.x low +1", "altered: cpu f.x low", "alteration"},
    {"low +1", "", "alteration"},
    {"plugin: reverse my reverse.so", "plugin: reverse", "plugin"},
    {"plugin: reverse my reverse.so", "plugin: reverse ", "plugin"},
    {"plugin: reverse my reverse.so", "plugin:  reverse.so", "plugin"},
    {"plugin: reverse my reverse.so\n",
     "plugin: a a\nplugin: b a\nplugin: c a\nplugin: d a\nplugin: e a\nplugin: f a\n"
     "plugin: g a\nplugin: h a\nplugin: i a\n",
     "superfluous 'plugin:'"},
    {"plugin: reverse my reverse.so", "plugins: reverse reverse.so", "a line in its head"},
    {"window -3:5", "window -3:-5", "input"},
    {"input: 99", "input: x", "input"},
    {"window -3:5", "window -3:2147483647", "more than 1000000 points"},
    {"window -3:5 0:7", "window 0:9000000000000000000 0:9000000000000000000", "more than 1000000 points"},
    {"window -3:5 0:7", "window -3:1001 0:1000", "more than 1000000 points"},
    {" params 2 1 0 0", "", "input"},
};

START_TEST(spoilt_case) {
  const char *at = strstr(good_case, spoilt[_i].from), *why = "";
  hy_text text = {0};
  hy_case c;
  ck_assert(at);
  hy_text_add_bytes(&text, good_case, (size_t)(at - good_case));
  hy_text_printf(&text, "%s%s", spoilt[_i].to, at + strlen(spoilt[_i].from));
  ck_assert(!hy_case_parse(text.data, &c, &why));
  ck_assert_msg(strstr(why, spoilt[_i].why) != NULL, "'%s' does not say '%s'", why, spoilt[_i].why);
  hy_text_free(&text);
}
END_TEST

static const struct {
  const char *text;
  bool good;
  const char *again;
} lanes[] = {
    {"1", true, "1"},    {"2,1", true, "1,2"},   {"5,4,3", true, "3,4,5"}, {"native", true, "5"}, {"mix", true, "mix"},
    {"", false, NULL},   {"6", false, NULL},     {"1,", false, NULL},      {",1", false, NULL},   {"1 2", false, NULL},
    {"11", false, NULL}, {"mixed", false, NULL}, {"tune", true, "tune"},
};

START_TEST(lanes_are_read) {
  unsigned found;
  hy_text text = {0};
  ck_assert(hy_lanes_parse(lanes[_i].text, &found) == lanes[_i].good);
  if (!lanes[_i].good) return;
  hy_lanes_print(found, &text);
  ck_assert_str_eq(hy_text_string(&text), lanes[_i].again);
  hy_text_free(&text);
}
END_TEST

START_TEST(mix_holds_every_lane) {
  unsigned all = 0;
  for (uint64_t i = 0; i < 64; i++) all |= hy_lanes_of_pair(HY_LANE_MIX, i);
  ck_assert_uint_eq(all, HY_LANE_INTERPRET | HY_LANE_QUERY | HY_LANE_CROSS | HY_LANE_LIGHT | HY_LANE_NATIVE);
  ck_assert_uint_eq(hy_lanes_of_pair(HY_LANE_CROSS, 5), HY_LANE_CROSS);
  ck_assert_uint_eq(hy_lanes_of_pair(HY_LANE_TUNE, 4), HY_LANE_TUNE | HY_LANE_INTERPRET | HY_LANE_QUERY);
  ck_assert(hy_lanes_of_pair(HY_LANE_TUNE, 5) & HY_LANE_NATIVE);
}
END_TEST

/* -- tallies -- */

static hy_tally some_tally(uint64_t pairs) {
  hy_tally t = {.pairs = pairs};
  t.found[HY_FOUND_REFUSED] = 3;
  t.hits[HY_RULE_COUNT - 1] = 12345678901234u;
  return t;
}

START_TEST(tally_comes_back) {
  hy_tally t = some_tally(7), again, sum = some_tally(1);
  hy_text text = {0};
  hy_tally_print(&t, &text);
  ck_assert(hy_tally_parse(text.data, &again));
  ck_assert_int_eq(memcmp(&t, &again, sizeof t), 0);
  hy_tally_add(&sum, &again);
  ck_assert_uint_eq(sum.pairs, 8);
  ck_assert_uint_eq(sum.found[HY_FOUND_REFUSED], 6);
  ck_assert_int_eq(hy_tally_rules(&t), 1);
  ck_assert_uint_eq(hy_tally_failures(&t), 0);
  hy_text_free(&text);
}
END_TEST

static const char *const no_tallies[] = {"", "x", "0", "0:", "0:1,1:2", "99999:1", "-1:4", "0:1 1", "1:3"};

START_TEST(no_tally) {
  hy_tally t;
  ck_assert(!hy_tally_parse(no_tallies[_i], &t));
}
END_TEST

/* -- the folder -- */

static char folder[64];
static void make_folder(void) {
  strcpy(folder, "/tmp/halyard_fuzz_XXXXXX");
  ck_assert(mkdtemp(folder));
}
static void remove_folder(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  ck_assert_int_eq(system(command), 0);
}

static const hy_store_header header = {
    .seed = 5, .shards = 1, .lanes = HY_LANE_INTERPRET, .favourite = HY_NO_DIRECTIVE};

// A campaign with the blocks 3 and 1.
static void write_campaign(void) {
  hy_store s;
  hy_text why = {0};
  ck_assert(hy_store_open(&s, folder, &header, false, &why));
  for (uint64_t number = 3; number == 3 || number == 1; number -= 2) {
    hy_block b = {.number = number, .tally = some_tally(10 * number)};
    hy_sighting sighting = {.index = number, .key = "disagree-split-none"};
    hy_vec_push(&b.sightings, sighting);
    ck_assert(hy_store_add(&s, &b, &why));
  }
  hy_store_close(&s);
  ck_assert_uint_eq(why.length, 0);
}

START_TEST(folder_is_taken_up) {
  hy_store s;
  hy_text why = {0};
  write_campaign();
  ck_assert(!hy_store_open(&s, folder, &header, false, &why)); // without being asked to
  hy_store_close(&s);
  hy_text_free(&why);
  ck_assert(hy_store_open(&s, folder, &header, true, &why));
  ck_assert_uint_eq(s.sorted, 2);
  ck_assert_int_eq(s.corrupt, 0);
  ck_assert(!hy_store_find(&s, 2));
  ck_assert_uint_eq(hy_store_find(&s, 3)->tally.pairs, 30);
  ck_assert_str_eq(hy_store_find(&s, 1)->sightings.data[0].key, "disagree-split-none");
  hy_store_close(&s);
  hy_text_free(&why);
}
END_TEST

START_TEST(folder_of_another_campaign) {
  hy_store s;
  hy_text why = {0};
  write_campaign();
  hy_store_header others[5] = {header, header, header, header, header};
  others[0].seed++, others[1].lanes = HY_LANE_QUERY, others[2].shards = 2, others[3].favourite = 1;
  strcpy(others[4].plugins, "reverse");
  ck_assert(!hy_store_open(&s, folder, &others[_i], true, &why));
  ck_assert(why.length > 0);
  hy_store_close(&s);
  hy_text_free(&why);
}
END_TEST

START_TEST(one_campaign_at_a_time) {
  hy_store s, other;
  hy_text why = {0};
  ck_assert(hy_store_open(&s, folder, &header, false, &why));
  ck_assert(!hy_store_open(&other, folder, &header, true, &why));
  ck_assert(strstr(why.data, "at work"));
  hy_store_close(&other);
  hy_store_close(&s);
  hy_text_free(&why);
}
END_TEST

// Every single byte of the results changed: a line that is not right is never used.
START_TEST(corrupt_results) {
  hy_text why = {0};
  write_campaign();
  char *text = hy_store_read_file(folder, "results");
  for (size_t i = 0; text[i]; i++) {
    char was = text[i];
    text[i] = was == '\n' ? ' ' : (char)(was ^ 1);
    if (text[i] == '\n' || text[i] == 0) text[i] = '~';
    ck_assert(hy_store_write_file(folder, "results", text, strlen(text), &why));
    hy_store s = {.file = -1};
    ck_assert(hy_store_load(&s, folder, &why));
    ck_assert_msg(s.corrupt > 0, "byte %zu", i);
    for (size_t k = 0; k < s.blocks.count; k++)
      ck_assert_uint_eq(s.blocks.data[k].tally.pairs, 10 * s.blocks.data[k].number);
    hy_store_close(&s);
    text[i] = was;
  }
  free(text);
  hy_text_free(&why);
}
END_TEST

START_TEST(full_disk) {
  hy_text why = {0};
  struct rlimit none = {0, RLIM_INFINITY};
  signal(SIGXFSZ, SIG_IGN);
  getrlimit(RLIMIT_FSIZE, &none);
  none.rlim_cur = 10;
  ck_assert(hy_store_write_file(folder, "small", "few", 3, &why));
  setrlimit(RLIMIT_FSIZE, &none);
  ck_assert(!hy_store_write_file(folder, "small", "more than ten bytes", 19, &why));
  none.rlim_cur = none.rlim_max;
  setrlimit(RLIMIT_FSIZE, &none);
  ck_assert(strstr(why.data, "small"));
  char *text = hy_store_read_file(folder, "small");
  ck_assert_str_eq(text, "few");  // the old one, whole
  DIR *entries = opendir(folder); // and nothing half written beside it
  for (struct dirent *entry; (entry = readdir(entries));)
    ck_assert_msg(entry->d_name[0] != '.' || strspn(entry->d_name, ".") == strlen(entry->d_name), "%s", entry->d_name);
  closedir(entries);
  free(text);
  hy_text_free(&why);
}
END_TEST

START_TEST(two_tell_one_block) {
  hy_text why = {0};
  hy_store s = {.file = -1};
  write_campaign();
  ck_assert(hy_store_load(&s, folder, &why));
  ck_assert(hy_store_load(&s, folder, &why)); // the same twice
  ck_assert_uint_eq(s.blocks.count, 2);
  ck_assert_int_eq(s.conflicts, 0);
  hy_block other = {.number = 3, .tally = some_tally(30)};
  other.tally.points = 1;
  ck_assert(hy_store_add(&s, &other, &why));
  ck_assert(hy_store_load(&s, folder, &why));
  ck_assert_int_gt(s.conflicts, 0);
  hy_store_close(&s);
}
END_TEST

Suite *fuzz_cases_suite(void) {
  Suite *suite = suite_create("fuzz_cases");
  TCase *files = tcase_create("case files"), *tallies = tcase_create("tallies"), *folders = tcase_create("folders");
  tcase_add_test(files, case_comes_back);
  tcase_add_test(files, case_of_many_plugins);
  tcase_add_loop_test(files, spoilt_case, 0, (int)HY_COUNT(spoilt));
  tcase_add_loop_test(files, lanes_are_read, 0, (int)HY_COUNT(lanes));
  tcase_add_test(files, mix_holds_every_lane);
  suite_add_tcase(suite, files);
  tcase_add_test(tallies, tally_comes_back);
  tcase_add_loop_test(tallies, no_tally, 0, (int)HY_COUNT(no_tallies));
  suite_add_tcase(suite, tallies);
  tcase_add_checked_fixture(folders, make_folder, remove_folder);
  tcase_add_test(folders, folder_is_taken_up);
  tcase_add_loop_test(folders, folder_of_another_campaign, 0, 5);
  tcase_add_test(folders, one_campaign_at_a_time);
  tcase_add_test(folders, corrupt_results);
  tcase_add_test(folders, full_disk);
  tcase_add_test(folders, two_tell_one_block);
  suite_add_tcase(suite, folders);
  return suite;
}
