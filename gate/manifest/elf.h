#ifndef HY_GATE_ELF_H
#define HY_GATE_ELF_H

/* What an object says of itself: a note called "Halyard" in the section .note.halyard, "NAME HEX" with the function and
 * the identity of the manifest that it belongs to (gate/manifest/manifest.h). 'readelf -n' shows it. Any bytes may be
 * asked: nothing outside of them is read.
 */

#include "semantics/base/sha256.h"
#include "semantics/base/text.h"

#define HY_NOTE_SECTION ".note.halyard"
#define HY_NOTE_OWNER "Halyard"
enum { HY_NOTE_TYPE = 1 };

// The bytes of the section for that function.
void hy_note_print(const char *name, const char *identity, hy_text *out);

// The machine of the ELF file's head (62 x86-64, 183 AArch64, 40 ARM); -1: it is none.
int hy_elf_machine(const char *bytes, size_t length);
// Is it an object for a linker (ET_REL)? A shared object (ET_DYN)?
bool hy_elf_is_object(const char *bytes, size_t length);
bool hy_elf_is_shared(const char *bytes, size_t length);
// The machine that a triple is for; -1: not known.
int hy_elf_machine_of(const char *triple);

// The identity that the object or shared object has for the function. False: it has no such note.
bool hy_elf_identity(const char *bytes, size_t length, const char *name, char identity[HY_SHA256_DIGITS + 1]);

// How many members an ar archive has, without its tables; 0: it is none, or broken, or its tables are not where and what
// 'ar' makes them: they could hide a member from who reads it, not from a linker.
size_t hy_archive_count(const char *bytes, size_t length);
// The member of an ar archive; NULL: it has none of that name.
const char *hy_archive_member(const char *bytes, size_t length, const char *name, size_t *member_length);

#endif
