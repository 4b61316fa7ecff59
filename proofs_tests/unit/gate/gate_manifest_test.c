// Manifests, notes of objects, archives and packed files as anybody may have made them: what is read is what was
// written, and whatever is not is refused with the key to blame.

#include "gate/manifest/elf.h"
#include "gate/manifest/files.h"
#include "gate/manifest/manifest.h"
#include "proofs_tests/suites.h"
#include "proofs_tests/unit/gate/replace.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEX "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

static hy_manifest example(void) {
  hy_manifest m = {.name = "blur",
                   .pipeline = "box_blur",
                   .schedule = "tiled",
                   .algorithm = HEX,
                   .directives = HEX,
                   .program = HEX,
                   .certificates = HEX,
                   .certificate_bytes = 7,
                   .obligations = 5,
                   .certificate_count = 4,
                   .dead = 1,
                   .proved = true,
                   .halyard = "0.1.0",
                   .llvm = "19.1.7",
                   .build = HEX,
                   .runtime = HEX,
                   .linker = "cc 12"};
  hy_vec_push(&m.targets, ((hy_shipped_target){"x86-64-v3", "x86_64-unknown-linux-gnu", "x86-64-v3", ""}));
  hy_vec_push(&m.artefacts, ((hy_artefact){"blur.o", HY_ROLE_OBJECT, "x86-64-v3", 99, HEX}));
  hy_vec_push(&m.artefacts, ((hy_artefact){"blur.tgt", HY_ROLE_PROGRAM, NULL, 3, HEX}));
  hy_manifest_identify(&m);
  return m;
}

START_TEST(what_is_written_is_read) {
  hy_manifest m = example(), read;
  hy_arena *arena = hy_arena_new();
  hy_text one = {0}, two = {0};
  const char *why;
  hy_manifest_print(&m, &one);
  ck_assert_msg(hy_manifest_read(arena, one.data, one.length, &read, &why), "%s", why);
  hy_manifest_print(&read, &two);
  ck_assert_str_eq(one.data, two.data);
  ck_assert_ptr_eq(hy_manifest_find(&read, HY_ROLE_OBJECT, "x86-64-v3"), &read.artefacts.data[0]);
  ck_assert_ptr_null(hy_manifest_find(&read, HY_ROLE_OBJECT, "host"));
  hy_manifest_free(&m);
  hy_manifest_free(&read);
  hy_text_free(&one);
  hy_text_free(&two);
  hy_arena_free(arena);
}
END_TEST

/* -- refused: a piece of the text is put in another's place -- */

static const struct {
  const char *piece, *instead, *why;
} wrong[] = {
    {"{\n", "", "is not JSON"},
    {"\"halyard-manifest\": 1", "\"halyard-manifest\": 2", "is of version 2, and this Halyard reads version 1"},
    {"\"halyard-manifest\": 1", "\"halyard-manifest\": \"1\"", "is no manifest of Halyard's"},
    {"\"halyard-manifest\": 1", "\"halyard-manifest\": 99999999999999999999", "is not JSON"},
    {"\"halyard-manifest\": 1", "\"halyard-manifest\": 1e400", "is not JSON"},
    {"\"halyard-manifest\": 1,", "", "it has no number \"halyard-manifest\""},
    {"\"halyard-manifest\": 1", "\"halyard\": 1", "is no manifest of Halyard's"},
    {"\"identity\": \"", "\"identity\": \"0", "has a \"identity\" that is no SHA-256"},
    {"\"name\": \"blur\"", "\"name\": \"blot\"", "has a content whose hash is not its \"identity\""},
    {"\"obligations\": 5", "\"obligations\": 6", "has a content whose hash is not its \"identity\""},
    {"\"bytes\": 99", "\"bytes\": -1", "has no \"bytes\" that is a whole number"},
    {"\"bytes\": 99", "\"bytes\": 1e3", "has no \"bytes\" that is a whole number"},
    {"\"bytes\": 99", "\"bytes\": 9223372036854775807", "has no \"bytes\" that is a whole number"},
    {"\"bytes\": 99", "\"bytes\": null", "has no \"bytes\" that is a whole number"},
    {"\"path\": \"blur.o\"", "\"path\": \"../blur.o\"", "names a file outside of its folder"},
    {"\"path\": \"blur.o\"", "\"path\": \"/etc/passwd\"", "names a file outside of its folder"},
    {"\"path\": \"blur.o\"", "\"path\": \"..\"", "names a file outside of its folder"},
    {"\"path\": \"blur.o\"", "\"path\": \"a\\nb\"", "names a file outside of its folder"},
    {"\"path\": \"blur.o\"", "\"path\": \"\"", "names a file outside of its folder"},
    {"\"path\": \"blur.o\"", "\"path\": \"-rf\"", "names a file outside of its folder"},
    {"\"path\": \"blur.o\"", "\"path\": \"a\\u0000b\"", "is not JSON"},
    {"\"path\": \"blur.o\"", "\"path\": [\"blur.o\"]", "has a \"path\" that is no text"},
    {"\"path\": \"blur.o\"", "\"path\": \"blur.tgt\"", "names a file twice: \"blur.tgt\""},
    {"\"role\": \"object\"", "\"role\": \"subject\"", "has an artefact of a role that is not known, \"subject\""},
    {"\"role\": \"object\",", "", "has no \"role\""},
    {"\"artefacts\": [", "\"artefacts\": [1, ", "has a row of \"artefacts\" that is no object"},
    {"\"artefacts\": [", "\"artefacts\": {}, \"others\": [", "has no list \"artefacts\""},
    {"\"made_by\": {", "\"made_by\": 1, \"others\": {", "has no object \"made_by\""},
    {"\"content\": {", "\"content\": [], \"others\": {", "has no object \"content\""},
    {"\"identity\":", "\"identity\": \"" HEX "\", \"identity\":", "is not JSON"}, // twice
};

START_TEST(what_is_wrong_is_refused) {
  hy_manifest m = example(), read;
  hy_arena *arena = hy_arena_new();
  hy_text text = {0};
  const char *why;
  hy_manifest_print(&m, &text);
  replace(&text, wrong[_i].piece, wrong[_i].instead);
  ck_assert(!hy_manifest_read(arena, text.data, text.length, &read, &why));
  ck_assert_msg(strstr(why, wrong[_i].why), "%s", why);
  hy_manifest_free(&m);
  hy_manifest_free(&read);
  hy_text_free(&text);
  hy_arena_free(arena);
}
END_TEST

// Every manifest that is cut off, and one nested a million times.
START_TEST(no_end_and_no_bottom) {
  hy_manifest m = example(), read;
  hy_arena *arena = hy_arena_new();
  hy_text text = {0}, deep = {0};
  const char *why;
  hy_manifest_print(&m, &text);
  for (size_t length = 0; length + 2 < text.length; length++) {
    ck_assert(!hy_manifest_read(arena, text.data, length, &read, &why));
    hy_manifest_free(&read);
  }
  for (int i = 0; i < 1000000; i++) hy_text_add(&deep, "[");
  ck_assert(!hy_manifest_read(arena, deep.data, deep.length, &read, &why) && strstr(why, "is not JSON"));
  while (deep.length <= 1 << 24) hy_text_add(&deep, "        ");
  ck_assert(!hy_manifest_read(arena, deep.data, deep.length, &read, &why) && strstr(why, "more than 4 MiB"));
  hy_manifest_free(&m);
  hy_text_free(&text);
  hy_text_free(&deep);
  hy_arena_free(arena);
}
END_TEST

// Keys of a later version are ignored, but in the content they count.
START_TEST(keys_that_are_not_known) {
  hy_manifest m = example(), read;
  hy_arena *arena = hy_arena_new();
  hy_text text = {0};
  const char *why;
  hy_manifest_print(&m, &text);
  replace(&text, "\"made_by\": {", "\"later\": [1.5], \"made_by\": {\"later\": {}, ");
  ck_assert_msg(hy_manifest_read(arena, text.data, text.length, &read, &why), "%s", why);
  hy_manifest_free(&read);
  replace(&text, "\"content\": {", "\"content\": {\"later\": 1, ");
  ck_assert(!hy_manifest_read(arena, text.data, text.length, &read, &why) && strstr(why, "content whose hash"));
  hy_manifest_free(&read);
  hy_manifest_free(&m);
  hy_text_free(&text);
  hy_arena_free(arena);
}
END_TEST

/* -- notes: an ELF file of one section -- */

static void add_number(hy_text *out, uint64_t number, size_t size) {
  for (size_t i = 0; i < size; i++) {
    char byte = (char)(number >> 8 * i & 255);
    hy_text_add_bytes(out, &byte, 1);
  }
}

static void make_elf(hy_text *out, const char *name, const char *identity) {
  hy_text note = {0};
  hy_note_print(name, identity, &note);
  hy_text_add_bytes(out, "\177ELF\2\1\1\0\0\0\0\0\0\0\0\0", 16);
  add_number(out, 1, 2), add_number(out, 62, 2), add_number(out, 1, 4);
  add_number(out, 0, 8), add_number(out, 0, 8), add_number(out, 64, 8); // the sections stand behind the head
  add_number(out, 0, 4), add_number(out, 64, 2), add_number(out, 0, 2), add_number(out, 0, 2);
  add_number(out, 64, 2), add_number(out, 1, 2), add_number(out, 0, 2);
  add_number(out, 0, 4), add_number(out, 7, 4), add_number(out, 0, 8), add_number(out, 0, 8);
  add_number(out, 128, 8), add_number(out, note.length, 8);
  add_number(out, 0, 4), add_number(out, 0, 4), add_number(out, 4, 8), add_number(out, 0, 8);
  hy_text_add_bytes(out, note.data, note.length);
  hy_text_free(&note);
}

START_TEST(objects_say_whose_they_are) {
  hy_text elf = {0};
  char identity[HY_SHA256_DIGITS + 1];
  make_elf(&elf, "blur", HEX);
  ck_assert_int_eq(hy_elf_machine(elf.data, elf.length), hy_elf_machine_of("x86_64-unknown-linux-gnu"));
  ck_assert(hy_elf_identity(elf.data, elf.length, "blur", identity));
  ck_assert_str_eq(identity, HEX);
  ck_assert(!hy_elf_identity(elf.data, elf.length, "blue", identity));
  ck_assert(!hy_elf_identity(elf.data, elf.length, "blu", identity));
  for (size_t length = 0; length < elf.length; length++)
    ck_assert(!hy_elf_identity(elf.data, length, "blur", identity));
  for (size_t i = 0; i < elf.length; i++)
    for (int bit = 0; bit < 8; bit++) { // nothing outside is read, whatever stands in the file
      char *copy = hy_allocate(elf.length);
      memcpy(copy, elf.data, elf.length);
      copy[i] ^= (char)(1 << bit);
      hy_elf_identity(copy, elf.length, "blur", identity);
      free(copy);
    }
  hy_text_free(&elf);
}
END_TEST

START_TEST(archives) {
  static const char archive[] = "!<arch>\n"
                                "//                                              22        `\n"
                                "a_name_of_17_chars.o/\n"
                                "short.o/        0           0     0     644     3         `\nabc\n"
                                "/0              0           0     0     644     2         `\nde";
  size_t length;
  const char *member = hy_archive_member(archive, sizeof archive - 1, "short.o", &length);
  ck_assert(member && length == 3 && memcmp(member, "abc", 3) == 0);
  member = hy_archive_member(archive, sizeof archive - 1, "a_name_of_17_chars.o", &length);
  ck_assert(member && length == 2 && memcmp(member, "de", 2) == 0);
  ck_assert_ptr_null(hy_archive_member(archive, sizeof archive - 1, "short", &length));
  ck_assert_ptr_null(hy_archive_member(archive, sizeof archive - 1, "a_name", &length));
  for (size_t cut = 0; cut + 1 < sizeof archive - 1; cut++)
    ck_assert_ptr_null(hy_archive_member(archive, cut, "a_name_of_17_chars.o", &length));
  ck_assert_ptr_null(hy_archive_member("abc", 3, "short.o", &length));
}
END_TEST

/* -- files -- */

START_TEST(packed_and_unpacked) {
  hy_text plain = {0}, packed = {0}, again = {0}, back = {0}, none = {0};
  for (int i = 0; i < 40000; i++) hy_text_printf(&plain, "%d ", i * i % 977);
  hy_gate_compress(&plain, &packed);
  hy_gate_compress(&plain, &again);
  ck_assert(packed.length == again.length && memcmp(packed.data, again.data, packed.length) == 0);
  ck_assert(hy_gate_expand(&packed, plain.length, &back));
  ck_assert(back.length == plain.length && memcmp(back.data, plain.data, back.length) == 0);
  hy_text_free(&back);
  ck_assert(!hy_gate_expand(&packed, plain.length - 1, &back)); // a bomb
  hy_text_free(&back);
  ck_assert(!hy_gate_expand(&none, 100, &back) && !hy_gate_expand(&plain, 100, &back));
  hy_text_free(&back);
  hy_text_add(&again, "x");
  ck_assert(!hy_gate_expand(&again, plain.length, &back)); // something behind
  hy_text_free(&back);
  packed.length--;
  ck_assert(!hy_gate_expand(&packed, plain.length, &back)); // cut off
  hy_text_free(&back);
  hy_text_free(&plain);
  hy_text_free(&packed);
  hy_text_free(&again);
}
END_TEST

START_TEST(odd_files) {
  char folder[] = "/tmp/halyard-test-XXXXXX", path[64], name[256];
  const char *why;
  hy_text text = {0};
  ck_assert(mkdtemp(folder));
  ck_assert(!hy_gate_find_manifest(folder, name, &why) && strstr(why, "has no file called"));
  ck_assert(!hy_gate_read(folder, "a", 9, &text, &why) && strstr(why, "No such file"));
  snprintf(path, sizeof path, "%s/a", folder);
  ck_assert(mkfifo(path, 0600) == 0);
  ck_assert(!hy_gate_read(folder, "a", 9, &text, &why) && strstr(why, "no regular file"));
  ck_assert(unlink(path) == 0 && symlink("/etc/passwd", path) == 0);
  ck_assert(!hy_gate_read(folder, "a", 1 << 20, &text, &why) && strstr(why, "symbolic link"));
  unlink(path);
  FILE *file = fopen(path, "w");
  ck_assert(file && fputs("1234567890", file) >= 0 && fclose(file) == 0);
  ck_assert(!hy_gate_read(folder, "a", 9, &text, &why) && strstr(why, "too large"));
  ck_assert(hy_gate_read(folder, "a", 10, &text, &why) && text.length == 10);
  unlink(path);
  rmdir(folder);
  hy_text_free(&text);
}
END_TEST

Suite *gate_manifest_suite(void) {
  Suite *suite = suite_create("gate_manifest");
  TCase *cases = tcase_create("files");
  tcase_set_timeout(cases, 60);
  tcase_add_test(cases, what_is_written_is_read);
  tcase_add_loop_test(cases, what_is_wrong_is_refused, 0, HY_COUNT(wrong));
  tcase_add_test(cases, no_end_and_no_bottom);
  tcase_add_test(cases, keys_that_are_not_known);
  tcase_add_test(cases, objects_say_whose_they_are);
  tcase_add_test(cases, archives);
  tcase_add_test(cases, packed_and_unpacked);
  tcase_add_test(cases, odd_files);
  suite_add_tcase(suite, cases);
  return suite;
}
