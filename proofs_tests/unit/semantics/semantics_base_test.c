/* The vocabulary below the languages: diagnostics as they are printed, interning, arenas, vectors. Whatever a text
 * holds, what is printed of it is one line of characters that every terminal shows, with a caret below.
 */

#include "proofs_tests/suites.h"

#include "semantics/base/id_map.h"
#include "semantics/base/intern.h"
#include "semantics/base/sha256.h"
#include "semantics/base/vec.h"
#include "semantics/expr/affine.h"
#include "semantics/semantics.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* -- diagnostics -- */

static char *print_at(const char *line, uint32_t row, uint32_t column, uint32_t length) {
  hy_source source = {"t", line, strlen(line)};
  hy_diagnostics *list = hy_diagnostics_new();
  hy_report(list, HY_E_SYNTAX, (hy_loc){&source, row, column, length}, NULL, NULL, "m");
  hy_text text = {0};
  hy_diagnostics_print(list, &text);
  hy_diagnostics_free(list);
  return text.data;
}

static const struct {
  const char *text;
  uint32_t line, column, length;
  const char *shown; // below the message
} places[] = {
    {"let a", 1, 5, 1, "    1 | let a\n      |     ^\n"},
    {"let abc", 1, 5, 3, "    1 | let abc\n      |     ^~~\n"},
    {"a\nb\nc", 2, 1, 1, "    2 | b\n      | ^\n"},
    {"a\r\nb", 1, 2, 1, "    1 | a\n      |  ^\n"},
    {"a\tb\001c", 1, 3, 3, "    1 | a b c\n      |   ^~~\n"},
    {"a\177b", 1, 3, 1, "    1 | a?b\n      |   ^\n"},
    // behind the end of the line, of the text
    {"ab", 1, 3, 1, "    1 | ab\n      |   ^\n"},
    {"ab", 1, 6, 4, "    1 | ab\n      |      ^\n"},
    {"ab", 3, 1, 1, ""},
    {"", 1, 1, 1, "    1 | \n      | ^\n"},
    // characters of two, three and four bytes take one place each
    {"\303\244 \342\202\254 \360\237\230\200 x", 1, 13, 1,
     "    1 | \303\244 \342\202\254 \360\237\230\200 x\n      |       ^\n"},
    {"\303\244\303\244x", 1, 3, 2, "    1 | \303\244\303\244x\n      |  ^\n"},
    // bytes that are no characters: cut off, stray, overlong, and the controls of the second page
    {"a\303", 1, 1, 2, "    1 | a?\n      | ^~\n"},
    {"\244\377\300\200b", 1, 5, 1, "    1 | ????b\n      |     ^\n"},
    {"\342\202x", 1, 3, 1, "    1 | ??x\n      |   ^\n"},
    {"\302\205x\302\240y", 1, 3, 1, "    1 | ?x\302\240y\n      |  ^\n"},
};

START_TEST(places_are_shown) {
  char *printed = print_at(places[_i].text, places[_i].line, places[_i].column, places[_i].length);
  const char *below = strchr(printed, '\n') + 1;
  ck_assert_str_eq(below, places[_i].shown);
  free(printed);
}
END_TEST

// Of a long line a part is shown, with the caret in it, between whole characters.
START_TEST(long_lines_are_cut) {
  static const char *const letters[] = {"x", "\303\244", "\342\202\254", "\360\237\230\200"};
  for (size_t kind = 0; kind < HY_COUNT(letters); kind++) {
    hy_text line = {0};
    for (int i = 0; i < 700; i++) hy_text_add(&line, i == 350 ? "here" : letters[kind]);
    uint32_t size = (uint32_t)strlen(letters[kind]);
    for (uint32_t column = 350 * size - 5; column < 350 * size + 20; column++) {
      char *printed = print_at(hy_text_string(&line), 1, column, 300);
      ck_assert_uint_lt(strlen(printed), 1200);
      ck_assert_ptr_nonnull(strstr(printed, "here"));
      ck_assert_ptr_nonnull(strstr(printed, "^"));
      ck_assert_ptr_null(strstr(printed, "?"));
      free(printed);
    }
    hy_text_free(&line);
  }
}
END_TEST

// A message of a megabyte loses its middle, between whole characters.
START_TEST(long_messages_are_cut) {
  static const char *const letters[] = {"x", "\303\244", "\342\202\254", "\360\237\230\200"};
  for (size_t kind = 0; kind < HY_COUNT(letters); kind++)
    for (int before = 0; before < 4; before++) {
      hy_text name = {0};
      for (int i = 0; i < before; i++) hy_text_add(&name, "-");
      for (int i = 0; i < 6000; i++) hy_text_add(&name, letters[kind]);
      hy_diagnostics *list = hy_diagnostics_new();
      hy_report(list, HY_E_SYNTAX, (hy_loc){0}, NULL, hy_text_string(&name), "%s", hy_text_string(&name));
      const hy_diagnostic *d = hy_diagnostics_at(list, 0);
      ck_assert_uint_le(strlen(d->message), 4000);
      const char *gap = strstr(d->message, " ... ");
      ck_assert_ptr_nonnull(gap);
      size_t size = strlen(letters[kind]);
      ck_assert_int_eq(strncmp(gap - size, letters[kind], size), 0);
      ck_assert_int_eq(strncmp(gap + 5, letters[kind], size), 0);
      ck_assert_str_eq(d->message, d->help);
      hy_diagnostics_free(list);
      hy_text_free(&name);
    }
}
END_TEST

START_TEST(notes_belong_to_what_is_before) {
  hy_source source = {"t", "ab", 2};
  hy_diagnostics *list = hy_diagnostics_new();
  hy_warn(list, HY_E_UNREACHABLE_FUNC, (hy_loc){0}, "R", "H", "w");
  hy_note(list, HY_E_UNREACHABLE_FUNC, (hy_loc){0}, "n");
  hy_note(list, HY_E_UNREACHABLE_FUNC, (hy_loc){&source, 1, 2, 1}, "n");
  hy_text text = {0};
  hy_diagnostics_print(list, &text);
  char *expected = NULL;
  ck_assert_int_gt(asprintf(&expected,
                            "halyard: warning[HY%04d]: w\n      = rule: R\n      = help: H\n      = note: n\n"
                            "t:1:2: note: n\n    1 | ab\n      |  ^\n",
                            (int)HY_E_UNREACHABLE_FUNC),
                   0);
  ck_assert_str_eq(hy_text_string(&text), expected);
  ck_assert_uint_eq(hy_diagnostics_errors(list), 0);
  ck_assert_uint_eq(hy_diagnostics_count(list), 3);
  free(expected);
  hy_text_free(&text);
  hy_diagnostics_free(list);
}
END_TEST

/* -- colours -- */

static void add_every_kind(hy_diagnostics *list, const hy_source *source) {
  hy_report(list, HY_E_USAGE, (hy_loc){source, 1, 2, 2}, "R", "H", "e");
  hy_warn(list, HY_E_UNREACHABLE_FUNC, (hy_loc){0}, "R", "H", "w");
  hy_note(list, HY_E_UNREACHABLE_FUNC, (hy_loc){source, 1, 4, 1}, "n");
  hy_note(list, HY_E_UNREACHABLE_FUNC, (hy_loc){0}, "n");
}

static void leave_escapes_out(const char *coloured, hy_text *plain) {
  for (const char *at = coloured; *at; at++)
    if (*at == '\033')
      at += strcspn(at, "m");
    else
      hy_text_add_bytes(plain, at, 1);
}

START_TEST(colours_add_escapes_alone) {
  hy_source source = {"t", "abcd", 4};
  hy_diagnostics *list = hy_diagnostics_new();
  hy_text plain = {0}, coloured = {0}, left = {0};
  add_every_kind(list, &source);
  hy_diagnostics_print(list, &plain);
  for (size_t i = 0; i < hy_diagnostics_count(list); i++) {
    size_t before = coloured.length;
    hy_diagnostic_print_coloured(hy_diagnostics_at(list, i), &coloured);
    ck_assert_ptr_nonnull(strstr(hy_text_string(&coloured) + before, "\033[1;3"));
    ck_assert_ptr_nonnull(strstr(hy_text_string(&coloured) + before, "\033[0m"));
  }
  leave_escapes_out(hy_text_string(&coloured), &left);
  ck_assert_str_eq(hy_text_string(&left), hy_text_string(&plain));
  ck_assert_ptr_null(strchr(hy_text_string(&plain), '\033'));
  hy_text_free(&plain);
  hy_text_free(&coloured);
  hy_text_free(&left);
  hy_diagnostics_free(list);
}
END_TEST

START_TEST(an_error_is_coloured) {
  hy_source source = {"t", "ab", 2};
  hy_diagnostics *list = hy_diagnostics_new();
  hy_report(list, HY_E_USAGE, (hy_loc){&source, 1, 1, 2}, NULL, "H\033[31m", "e");
  hy_text text = {0};
  hy_diagnostic_print_coloured(hy_diagnostics_at(list, 0), &text);
  char *expected = NULL;
  ck_assert_int_gt(asprintf(&expected,
                            "\033[1mt:1:1:\033[0m \033[1;31merror[HY%04d]:\033[0m \033[1me\033[0m\n    1 | ab\n"
                            "      | \033[1;32m^~\033[0m\n      = \033[1;34mhelp:\033[0m H\\x1b[31m\n",
                            (int)HY_E_USAGE),
                   0);
  ck_assert_str_eq(hy_text_string(&text), expected);
  free(expected);
  hy_text_free(&text);
  hy_diagnostics_free(list);
}
END_TEST

static const struct {
  const char *foreign, *plain;
} plains[] = {
    {"", ""},
    {"box_blur.o", "box_blur.o"},
    {"\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80", "\xc3\xa4 \xe2\x82\xac \xf0\x9f\x98\x80"},
    {"a\\x1b", "a\\x1b"},
    {"\x1b[31m", "\\x1b[31m"},
    {"a\r\nb\t", "a\\x0d\\x0ab\\x09"},
    {"\x7f", "\\x7f"},
    {"\xc2\x9b", "\\xc2\\x9b"},                                     // a control character of ISO 8859
    {"\xe2\x80\xae\xe2\x81\xa6", "\\xe2\\x80\\xae\\xe2\\x81\\xa6"}, // turn the direction of reading around
    {"\xe2\x80\xa7\xe2\x80\xaf", "\xe2\x80\xa7\xe2\x80\xaf"},       // their neighbours do not
    {"\xff\xc3(\xe2\x82", "\\xff\\xc3(\\xe2\\x82"},                 // no UTF-8
    {"\xc0\xaf", "\\xc0\\xaf"},
};

START_TEST(what_others_wrote_is_plain) {
  hy_text text = {0};
  hy_text_add_plain(&text, plains[_i].foreign);
  ck_assert_str_eq(hy_text_string(&text), plains[_i].plain);
  hy_text again = {0};
  hy_text_add_plain(&again, hy_text_string(&text));
  ck_assert_str_eq(hy_text_string(&again), plains[_i].plain);
  hy_text_free(&text);
  hy_text_free(&again);
  hy_diagnostics *list = hy_diagnostics_new();
  hy_report(list, HY_E_USAGE, (hy_loc){0}, NULL, plains[_i].foreign, "%s", plains[_i].foreign);
  hy_diagnostics_print(list, &text);
  ck_assert(strstr(hy_text_string(&text), plains[_i].plain));
  ck_assert_uint_eq(strcspn(strchr(hy_text_string(&text), '\n') + 1, "\n") + 1,
                    strlen(strchr(hy_text_string(&text), '\n') + 1)); // the message and the help, a line each
  hy_text_free(&text);
  hy_diagnostics_free(list);
}
END_TEST

START_TEST(codes_have_titles) {
  static const hy_code codes[] = {
#define HY_ERROR(number, name, title) HY_E_##name,
#include "semantics/errors.def"
#undef HY_ERROR
  };
  for (size_t i = 0; i < HY_COUNT(codes); i++) ck_assert_uint_gt(strlen(hy_code_title(codes[i])), 4);
  ck_assert_str_eq(hy_severity_name(HY_SEVERITY_NOTE), "note");
}
END_TEST

/* -- interning -- */

static bool same_text(const void *a, const void *b) { return strcmp(a, b) == 0; }

// Things of one hash are told apart by what they are, and found after the table has grown.
START_TEST(hashes_may_collide) {
  enum { THINGS = 200 };
  static char names[THINGS][8];
  hy_intern *table = hy_intern_new(same_text);
  for (int i = 0; i < THINGS; i++) {
    snprintf(names[i], sizeof names[i], "n%d", i);
    uint64_t hash = i < 20 ? 63 : hy_hash_bytes(1, names[i], strlen(names[i]));
    ck_assert_ptr_null(hy_intern_find(table, hash, names[i]));
    hy_intern_add(table, hash, names[i]);
  }
  for (int i = 0; i < THINGS; i++) {
    uint64_t hash = i < 20 ? 63 : hy_hash_bytes(1, names[i], strlen(names[i]));
    ck_assert_ptr_eq(hy_intern_find(table, hash, names[i]), names[i]);
  }
  ck_assert_uint_eq(hy_intern_count(table), THINGS);
  hy_intern_free(table);
}
END_TEST

/* -- memory -- */

START_TEST(vectors_keep_what_they_hold) {
  HY_VEC(int) numbers = {0};
  hy_vec_reserve(&numbers, 100);
  size_t room = numbers.capacity;
  ck_assert_uint_ge(room, 100);
  hy_vec_reserve(&numbers, 5);
  ck_assert_uint_eq(numbers.capacity, room);
  for (int i = 0; i < 1000; i++) hy_vec_push(&numbers, i);
  for (int i = 0; i < 1000; i++) ck_assert_int_eq(numbers.data[i], i);
  hy_vec_free(&numbers);
  ck_assert_uint_eq(numbers.capacity, 0);
}
END_TEST

START_TEST(nothing_takes_no_room) { // a block of no bytes is a block; to free nothing does nothing
  free(hy_allocate(0));
  free(hy_allocate_zeroed(0, 0));
  free(hy_reallocate(NULL, 0));
  hy_arena_free(NULL);
  hy_context_free(NULL);
  hy_diagnostics_free(NULL);
  hy_intern_free(NULL);
  hy_affine_table_free(NULL);
}
END_TEST

/* -- what is known by ids -- */

// Against a plain array: ids close together and far apart, put, put again, found, dropped, cleared, at all sizes.
START_TEST(id_map_is_a_map) {
  enum { IDS = 1500, STEPS = 60000 };
  static uintptr_t words[IDS]; // 0: not there
  hy_id_map map;
  hy_id_map_begin(&map);
  memset(words, 0, sizeof words);
  size_t count = 0;
  const uint32_t apart = _i ? UINT32_C(0x10001) : 1;
  for (uint64_t step = 0; step < STEPS; step++) {
    uint64_t random = hy_hash(17 + (uint64_t)_i, step);
    uint32_t key = (uint32_t)(random % (step < STEPS / 2 ? 40 : IDS)), id = 1 + key * apart;
    const uintptr_t *found = hy_id_map_find(&map, id);
    ck_assert_int_eq(found != NULL, words[key] != 0);
    if (found) ck_assert_uint_eq(*found, words[key]);
    if (found && random >> 32 & 1) {
      hy_id_map_drop(&map, id);
      words[key] = 0, count--;
    } else {
      uintptr_t *word = hy_id_map_put(&map, id);
      ck_assert_uint_eq(*word, words[key]);
      count += words[key] == 0;
      *word = words[key] = (uintptr_t)(step + 1);
    }
    if (step % 20011 == 20010) {
      hy_id_map_clear(&map);
      memset(words, 0, sizeof words);
      count = 0;
    }
    ck_assert_uint_eq(map.count, count);
  }
  for (uint32_t key = 0; key < IDS; key++) {
    const uintptr_t *found = hy_id_map_find(&map, 1 + key * apart);
    ck_assert_uint_eq(found ? *found : 0, words[key]);
  }
  hy_id_map_end(&map);
}
END_TEST

// FIPS 180-4's own examples, and lengths around a block and around the first that is worth instructions of its own (64 blocks).
static const struct {
  const char *of; // repeated
  size_t times;
  const char *digits;
} hashes[] = {
    {"", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"abc", 1, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    {"a", 1000000, "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"},
    {"xy", 27, "58066f492fbf84592bb971c7ded1f85f8556548327ac0ba82375663dedc74891"},
    {"x", 55, "d5e285683cd4efc02d021a5c62014694958901005d6f71e89e0989fac77e4072"},
    {"x", 56, "04c26261370ee7541549d16dee320c723e3fd14671e66a099afe0a377c16888e"},
    {"x", 63, "75220b47218278e656f2013bb8f0c455a25eaf01e86c64924e9d48d89776d6f2"},
    {"x", 64, "7ce100971f64e7001e8fe5a51973ecdfe1ced42befe7ee8d5fd6219506b5393c"},
    {"x", 119, "000b48d4edf0fa7bee3c6236ecd2785baa5db4eeb8bb54341b029e0d9fa5fb0c"},
    {"x", 120, "13f05a0b594787f5ecd315edc96141bd3243203d1b7d4f0836f37308b276ba98"},
    {"x", 4095, "deffa2b8b74b214c6f9b3fc3897854f5c1d7ab973da346509026a1032a4ece54"},
    {"x", 4096, "a2e659dacb4691e887ac0139f8893d04764ee197d70fb73d3190d56113d18e3e"},
    {"xyz", 1366, "f8538857c38ee1418c678b1e3d6298816eba5648ade7202d306dc0726b244d2b"},
};

START_TEST(hashes_are_sha256) {
  char digits[HY_SHA256_DIGITS + 1];
  hy_text text = {0};
  for (size_t i = 0; i < hashes[_i].times; i++) hy_text_add(&text, hashes[_i].of);
  hy_sha256(hy_text_string(&text), text.length, digits);
  ck_assert_str_eq(digits, hashes[_i].digits);
  hy_text_free(&text);
}
END_TEST

// However the bytes are cut.
START_TEST(hashes_of_pieces) {
  char whole[HY_SHA256_DIGITS + 1], digits[HY_SHA256_DIGITS + 1];
  unsigned char bytes[20000];
  for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)(i * i >> 3);
  hy_sha256(bytes, sizeof bytes, whole);
  for (size_t piece = 1; piece < sizeof bytes; piece += piece / 3 + 1) {
    hy_sha256_state state;
    hy_sha256_begin(&state);
    for (size_t at = 0; at < sizeof bytes; at += piece)
      hy_sha256_add(&state, bytes + at, piece < sizeof bytes - at ? piece : sizeof bytes - at);
    hy_sha256_end(&state, digits);
    ck_assert_msg(strcmp(digits, whole) == 0, "in pieces of %zu: %s, as a whole %s", piece, digits, whole);
  }
}
END_TEST

Suite *semantics_base_suite(void) {
  Suite *suite = suite_create("semantics_base");
  TCase *t = tcase_create("base");
  tcase_add_loop_test(t, places_are_shown, 0, HY_COUNT(places));
  tcase_add_test(t, long_lines_are_cut);
  tcase_add_test(t, long_messages_are_cut);
  tcase_add_test(t, notes_belong_to_what_is_before);
  tcase_add_test(t, colours_add_escapes_alone);
  tcase_add_test(t, an_error_is_coloured);
  tcase_add_loop_test(t, what_others_wrote_is_plain, 0, HY_COUNT(plains));
  tcase_add_test(t, codes_have_titles);
  tcase_add_test(t, hashes_may_collide);
  tcase_add_test(t, vectors_keep_what_they_hold);
  tcase_add_test(t, nothing_takes_no_room);
  tcase_add_loop_test(t, id_map_is_a_map, 0, 2);
  tcase_add_loop_test(t, hashes_are_sha256, 0, HY_COUNT(hashes));
  tcase_add_test(t, hashes_of_pieces);
  suite_add_tcase(suite, t);
  return suite;
}
