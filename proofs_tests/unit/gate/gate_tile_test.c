// Level 3's judge: modules that were emitted are shown to be right; each of many faults in their instructions is found
// to differ; modules that nobody emits are refused, found wrong, or left undecided, never shown. tile/*.ll and *.tgt
// are what it is asked about.

#include "gate/tile/judge.h"
#include "gate/tile/run.h"
#include "halyard/sample.h"
#include "proofs_tests/suites.h"

#include <stdio.h>
#include <string.h>

enum { WINDOWS = 12 };
#define FOLDER HALYARD_SOURCE_DIR "/proofs_tests/unit/gate/tile/"

/* -- asking -- */

static void read_file(const char *name, const char *suffix, hy_text *out) {
  char path[500], bytes[4096];
  snprintf(path, sizeof path, FOLDER "%s%s", name, suffix);
  FILE *f = fopen(path, "rb");
  ck_assert_msg(f != NULL, "%s", path);
  for (size_t n; (n = fread(bytes, 1, sizeof bytes, f)) > 0;) hy_text_add_bytes(out, bytes, n);
  fclose(f);
}

typedef struct {
  hy_tile_answer answer;
  bool is_refused; // by LLVM
  bool has_images; // that show it
  uint64_t points, same;
  char story[600];
} finding;

static const hy_tile_limits usual = {0};

static void judge_all(const hy_pipeline *p, const hy_ir_module *module, const hy_tile_limits *limits, finding *f) {
  const hy_sampler sampler = {.seed = 1};
  char function[100];
  snprintf(function, sizeof function, "%s_slots", p->alg->name);
  for (int k = 0; k < WINDOWS && f->answer != HY_TILE_WRONG; k++) {
    hy_arguments a;
    hy_tile_verdict v;
    bool good = hy_sample_make(&sampler, p, k, &a) && !hy_alg_nothing_asked(p->alg, &a.input);
    if (good) {
      hy_tile_judge(&(hy_tile_question){.module = module,
                                        .function = function,
                                        .tgt = p->filled,
                                        .input = &a.input,
                                        .layout = hy_tile_layout_of(p->filled, k),
                                        .seed = 1,
                                        .limits = *limits},
                    &v);
      f->points += v.points, f->same += v.same + v.enumerated;
      if (v.answer != HY_TILE_FINE && f->answer != HY_TILE_WRONG) {
        f->answer = v.answer;
        f->has_images = v.images[0];
        snprintf(f->story, sizeof f->story, "%s", v.story);
      }
      hy_tile_verdict_free(&v);
    }
    hy_arguments_free(&a);
  }
}

static finding judge(const char *program, const hy_text *llvm, const hy_tile_limits *limits) {
  finding f = {.answer = HY_TILE_FINE};
  hy_text text = {0};
  hy_context *context = hy_context_new();
  hy_diagnostics *said = hy_diagnostics_new();
  read_file(program, ".tgt", &text);
  hy_source source = {program, hy_text_string(&text), text.length};
  const hy_tgt *tgt = hy_parse_tgt(context, &source, said);
  ck_assert_ptr_nonnull(tgt);
  hy_pipeline p;
  hy_pipeline_init(&p, context, NULL, NULL, tgt);
  ck_assert(hy_pipeline_schedule(&p, said) && hy_pipeline_fill(&p, said));
  hy_ir_module *module = hy_ir_read(hy_text_string(llvm), llvm->length, f.story, sizeof f.story);
  f.is_refused = !module;
  if (module) judge_all(&p, module, limits, &f);
  hy_ir_free(module);
  hy_diagnostics_free(said);
  hy_context_free(context);
  hy_text_free(&text);
  return f;
}

/* -- faults: pieces of the module's text are put in others' places -- */

typedef struct {
  const char *name, *program, *before, *after, *before2, *after2;
} fault;

static const fault faults[] = {
    {"a neighbour too far", "rows", "ptr %scevgep101, i64 -2", "ptr %scevgep101, i64 -4", 0, 0},
    {"a lane too much in the tail", "rows", "icmp slt i64 %70, %32", "icmp sle i64 %70, %32", 0, 0},
    {"the tail's mask is dropped", "rows", "icmp slt i64 %70, %32", "icmp eq i64 %70, %70", 0, 0},
    {"the tail's last lanes are never computed", "rows", "icmp eq i64 %79, 8", "icmp eq i64 %79, 5", 0, 0},
    {"a signed quotient of unsigned numbers", "rows", "udiv i16 %76, 3", "sdiv i16 %76, 3", 0, 0},
    {"one lane's divisor", "rows", "udiv <8 x i16> %60, <i16 3, i16 3", "udiv <8 x i16> %60, <i16 3, i16 2", 0, 0},
    {"the other buffer's stride", "rows", "%lsr.iv90, i64 %40", "%lsr.iv90, i64 %48", 0, 0},
    {"a sum that promises not to wrap", "rows", "%74 = add i16", "%74 = add nuw i16", 0, 0},
    {"vectors beyond the steady state", "rows", "%15 = call i64 @llvm.smin", "%15 = call i64 @llvm.smax", 0, 0},
    {"a parallel loop that begins at 0", "rows", "parallel_for(i64 %min7", "parallel_for(i64 0", 0, 0},
    {"a parallel loop without its last iteration", "rows", "%6 = sub nsw i64 %2, %1", "%6 = sub nsw i64 %2, 1", 0, 0},
    {"a task that changes what later ones are given", "rows", "%captured = load i64, ptr %0, align 8\n",
     "%captured = load i64, ptr %0, align 8\n  store i64 0, ptr %0, align 8\n", 0, 0}, // seen one by one alone
    {"another captured value", "rows", "%8 = getelementptr inbounds i8, ptr %0, i64 48",
     "%8 = getelementptr inbounds i8, ptr %0, i64 56", 0, 0},
    {"an alignment that the caller does not owe", "rows", "store <8 x i16> %61, ptr %scevgep94, align 2",
     "store <8 x i16> %61, ptr %scevgep94, align 16", 0, 0},
    {"an alignment of a load", "rows", "%in9.us = load <8 x i16>, ptr %scevgep101, align 2",
     "%in9.us = load <8 x i16>, ptr %scevgep101, align 16", 0, 0},
    {"sums that may be fused", "real", "%36 = fmul", "%36 = fmul contract", "%38 = fadd", "%38 = fadd contract"},
    {"sums that may be reassociated", "real", "%38 = fadd", "%38 = fadd reassoc", "%40 = fadd", "%40 = fadd reassoc"},
    {"a sum from the right", "real", "%89 = fadd <8 x float> %85, %88",
     "%r = fadd <8 x float> %84, %88\n  %89 = fadd <8 x float> %82, %r", 0, 0},
    {"a product fused", "real", "%40 = fadd <8 x float> %38, %39",
     "%40 = call <8 x float> @llvm.fma.v8f32(<8 x float> %in8, <8 x float> splat (float 0x3FD3333340000000), <8 x "
     "float> %38)",
     "declare ptr @hy", "declare <8 x float> @llvm.fma.v8f32(<8 x float>, <8 x float>, <8 x float>)\ndeclare ptr @hy"},
    {"a conversion that does not saturate", "real", "%95 = fadd float %94", "%95 = fadd float %s20",
     "call i8 @llvm.fptoui.sat.i8.f32(float %95)", "fptoui float %95 to i8"},
    {"no rounding", "real", "fadd float %94, 5.000000e-01", "fadd float %94, 0.000000e+00", 0, 0},
    {"arms exchanged", "real", "select i1 %91, float %s20, float 0.000000e+00",
     "select i1 %91, float 0.000000e+00, float %s20", 0, 0},
    {"a comparison turned around", "real", "fcmp ogt float %s20", "fcmp olt float %s20", 0, 0},
    {"a limit one too small", "real", "fcmp olt float %92, 2.550000e+02", "fcmp olt float %92, 2.540000e+02", 0, 0},
    {"a vector of before", "real", "store <8 x float> %67", "store <8 x float> %wide.load", 0, 0},
    {"a mask of one lane more", "real", "icmp sgt <8 x i32> %53", "icmp sge <8 x i32> %53", 0, 0},
    {"memory for half of it", "real", "shl nuw nsw i64 %len2, 2", "shl nuw nsw i64 %len2, 1", 0, 0},
    {"memory that is not freed", "real", "call void @hy_runtime_free(ptr nonnull %s)", "", 0, 0},
    {"memory freed twice", "real", "call void @hy_runtime_free(ptr nonnull %s)",
     "call void @hy_runtime_free(ptr nonnull %s)\n  call void @hy_runtime_free(ptr nonnull %s)", 0, 0},
    {"bytes compared as signed", "whole", "icmp ult i8 %b14, %b15", "icmp slt i8 %b14, %b15", 0, 0},
    {"the least signed byte", "whole", "%118 = call i8 @llvm.umin.i8", "%118 = call i8 @llvm.smin.i8", "declare i8",
     "declare i8 @llvm.smin.i8(i8, i8)\ndeclare i8"},
    {"the sign extended", "whole", "%110 = zext i8 %b14 to i16", "%110 = sext i8 %b14 to i16", 0, 0},
    {"a quotient rounded to zero", "whole", "%105 = udiv i16 %104, 3", "%105 = sdiv i16 %101, 3",
     "%106 = xor i16 %105, %103", "%106 = xor i16 %105, 0"},
    {"a shift that loses the sign", "whole", "%111 = ashr i16 %in10, 2", "%111 = lshr i16 %in10, 2", 0, 0},
    {"a difference that promises not to overflow", "whole", "%100 = sub i16", "%100 = sub nsw i16", 0, 0},
    {"lanes exchanged", "whole", "%71 = getelementptr i16, ptr %out, i64 %index\n  store <16 x i16> %70",
     "%sh = shufflevector <16 x i16> %70, <16 x i16> poison, <16 x i32> <i32 1, i32 0, i32 2, i32 3, i32 4, i32 5, i32 "
     "6, "
     "i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>\n  %71 = getelementptr i16, ptr %out, i64 "
     "%index\n  store <16 x i16> %sh",
     0, 0},
    {"a remainder of another divisor", "whole", "%107 = and i16 %101, 7", "%107 = and i16 %101, 3", 0, 0},
    {"a vector beyond the end", "whole", "and i64 %len5, 9223372036854775792", "and i64 %len5, 9223372036854775800", 0,
     0},
    {"a loop that data end", "whole", "%exitcond.not = icmp eq i64 %122, %len5",
     "%c1 = icmp eq i64 %122, %len5\n  %c2 = icmp eq i16 %in10, 77\n  %exitcond.not = or i1 %c1, %c2", 0, 0},
    {"another value's sum", "parts", "trunc i16 %12 to i8", "trunc i16 %11 to i8", 0, 0},
    {"a value in the other's buffer", "parts", "getelementptr i8, ptr %out1", "getelementptr i8, ptr %out", 0, 0},
    {"a value left out", "parts", "store i8 %13, ptr %15, align 1", "", 0, 0},
    {"one point left out", "whole", "%122 = add nuw nsw i64 %x, 1\n  %exitcond.not = icmp eq i64 %122, %len5",
     "%122 = add nuw nsw i64 %x, 1\n  %less = add i64 %len5, -1\n  %exitcond.not = icmp sge i64 %122, %less", 0, 0},
};

// The first occurrence; there is one.
static void put(hy_text *text, const char *name, const char *before, const char *after) {
  hy_text out = {0};
  const char *at = strstr(hy_text_string(text), before);
  ck_assert_msg(at != NULL, "%s: no '%s'", name, before);
  hy_text_add_bytes(&out, text->data, (size_t)(at - text->data));
  hy_text_add(&out, after);
  hy_text_add(&out, at + strlen(before));
  hy_text_free(text);
  *text = out;
}

START_TEST(faults_are_found) {
  const fault *f = &faults[_i];
  hy_text llvm = {0};
  read_file(f->program, ".ll", &llvm);
  put(&llvm, f->name, f->before, f->after);
  if (f->before2) put(&llvm, f->name, f->before2, f->after2);
  finding is = judge(f->program, &llvm, &usual);
  ck_assert_msg(!is.is_refused, "%s: %s", f->name, is.story);
  ck_assert_msg(is.answer == HY_TILE_WRONG, "%s: %d, %s", f->name, (int)is.answer, is.story);
  hy_text_free(&llvm);
}
END_TEST

/* -- what is right is shown -- */

static const char *const programs[] = {"rows", "real", "whole", "parts"}; // D80: the last has two values

START_TEST(emitted_modules_are_shown) {
  hy_text llvm = {0};
  read_file(programs[_i], ".ll", &llvm);
  finding is = judge(programs[_i], &llvm, &usual);
  ck_assert_msg(is.answer == HY_TILE_FINE && !is.is_refused, "%s", is.story);
  ck_assert_msg(is.points > 100 && is.same == is.points, "%d of %d points", (int)is.same, (int)is.points);
  hy_text_free(&llvm);
}
END_TEST

// Other instructions for the same values.
static const fault harmless[] = {
    {"terms exchanged", "rows", "%74 = add i16 %in23.us, %in24.us", "%74 = add i16 %in24.us, %in23.us", 0, 0},
    {"another order of integers", "rows", "%76 = add i16 %74, %in25.us",
     "%q = add i16 %in24.us, %in25.us\n  %76 = add i16 %q, %in23.us", 0, 0},
    {"a choice for a minimum", "whole", "%118 = call i8 @llvm.umin.i8(i8 %b14, i8 %b15)",
     "%118 = select i1 %115, i8 %b14, i8 %b15", 0, 0},
    {"a comparison turned", "whole", "%115 = icmp ult i8 %b14, %b15", "%115 = icmp ugt i8 %b15, %b14", 0, 0},
    {"a comparison of wider numbers", "whole", "%115 = icmp ult i8 %b14, %b15",
     "%w14 = zext i8 %b14 to i32\n  %w15 = zext i8 %b15 to i32\n  %115 = icmp slt i32 %w14, %w15", 0, 0},
    {"a sum of wider numbers", "rows", "%74 = add i16 %in23.us, %in24.us",
     "%w23 = zext i16 %in23.us to i32\n  %w24 = zext i16 %in24.us to i32\n  %ws = add nuw nsw i32 %w23, %w24\n  %74 = "
     "trunc i32 "
     "%ws to i16",
     0, 0},
    {"factors exchanged", "real", "%40 = fadd <8 x float> %38, %39", "%40 = fadd <8 x float> %39, %38", 0, 0},
    {"a difference of a negation", "real", "%40 = fadd <8 x float> %38, %39",
     "%n = fneg <8 x float> %39\n  %40 = fsub <8 x float> %38, %n", 0, 0},
};

START_TEST(other_instructions_are_shown) {
  const fault *f = &harmless[_i];
  hy_text llvm = {0};
  read_file(f->program, ".ll", &llvm);
  put(&llvm, f->name, f->before, f->after);
  if (f->before2) put(&llvm, f->name, f->before2, f->after2);
  finding is = judge(f->program, &llvm, &usual);
  ck_assert_msg(!is.is_refused && is.answer != HY_TILE_WRONG, "%s: %s", f->name, is.story);
  ck_assert_msg(is.answer == HY_TILE_FINE, "%s is not shown: %s", f->name, is.story);
  hy_text_free(&llvm);
}
END_TEST

// A branch that data decide, with a store in both arms: the same one, and another one.
START_TEST(branches_on_data_are_joined) {
  hy_text llvm = {0}, arms = {0};
  read_file("whole", ".ll", &llvm);
  hy_text_printf(
      &arms,
      "br i1 %%115, label %%yes, label %%no\nyes:\n  store i16 %%120, ptr %%121, align 2\n  br label %%both\n"
      "no:\n  store i16 %s, ptr %%121, align 2\n  br label %%both\nboth:\n  %%122 = add nuw nsw i64 %%x, 1",
      _i ? "%119" : "%120");
  put(&llvm, "phi", "%x = phi i64 [ %122, %loop ]", "%x = phi i64 [ %122, %both ]");
  put(&llvm, "phi", "[ 0, %loop ]", "[ 0, %both ]");
  put(&llvm, "arms", "store i16 %120, ptr %121, align 2\n  %122 = add nuw nsw i64 %x, 1", hy_text_string(&arms));
  finding is = judge("whole", &llvm, &usual);
  ck_assert_msg(!is.is_refused && is.answer == (_i ? HY_TILE_WRONG : HY_TILE_FINE), "%d: %s", (int)is.answer, is.story);
  hy_text_free(&llvm);
  hy_text_free(&arms);
}
END_TEST

/* -- what nobody knows is undecided -- */

static const struct {
  const char *name, *program, *before, *after;
  hy_tile_limits limits;
} unknown[] = {
    {"a limit of steps", "rows", "entry:", "entry:", {.steps = 50}},
    {"a limit of values", "rows", "entry:", "entry:", {.nodes = 100}},
    {"a limit of memory", "real", "entry:", "entry:", {.bytes = 64}},
    {"a loop without an end",
     "rows",
     "br i1 %exitcond67.not, label %end.if.us.loopexit, label %loop20.us",
     "br label %loop20.us",
     {.steps = 100000}},
    {"a function that nobody knows", "whole", "call i8 @llvm.umin.i8", "call i8 @umin", {0}},
    {"assembly",
     "rows",
     "%74 = add i16 %in23.us, %in24.us",
     "%74 = call i16 asm \"addw $1, $0\", \"=r,r,0\"(i16 %in23.us, i16 %in24.us)",
     {0}},
    {"a volatile load", "whole", "%in10 = load i16", "%in10 = load volatile i16", {0}},
    {"a number of 128 bits",
     "whole",
     "%122 = add nuw nsw i64 %x, 1",
     "%w = zext i64 %x to i128\n  %122 = add nuw nsw i64 %x, 1",
     {0}},
};

START_TEST(what_is_not_known_is_undecided) {
  hy_text llvm = {0};
  read_file(unknown[_i].program, ".ll", &llvm);
  put(&llvm, unknown[_i].name, unknown[_i].before, unknown[_i].after);
  if (strstr(unknown[_i].after, "@umin")) hy_text_add(&llvm, "declare i8 @umin(i8, i8)\n");
  finding is = judge(unknown[_i].program, &llvm, &unknown[_i].limits);
  ck_assert_msg(!is.is_refused, "%s: %s", unknown[_i].name, is.story);
  ck_assert_msg(is.answer == HY_TILE_UNDECIDED, "%s: %d, %s", unknown[_i].name, (int)is.answer, is.story);
  hy_text_free(&llvm);
}
END_TEST

// A module cut off anywhere, and one with another byte anywhere: an answer, and no crash.
START_TEST(any_text_has_an_answer) {
  hy_text llvm = {0};
  read_file("whole", ".ll", &llvm);
  uint64_t shown = 0, wrong = 0, refused = 0;
  for (int k = 0; k < 150; k++) {
    hy_text copy = {0};
    uint64_t r = (uint64_t)(k + 1) * UINT64_C(0x9e3779b97f4a7c15), at = (r >> 20) % llvm.length;
    hy_text_add_bytes(&copy, llvm.data, k < 20 ? at : llvm.length);
    while (k >= 20 && (copy.data[at] < '0' || copy.data[at] > '9')) at = (at + 1) % llvm.length;
    if (k >= 20) copy.data[at] = "0123456789"[r % 10];
    finding is = judge("whole", &copy, &(hy_tile_limits){.steps = 200000});
    refused += is.is_refused, wrong += is.answer == HY_TILE_WRONG, shown += is.answer == HY_TILE_FINE && !is.is_refused;
    hy_text_free(&copy);
  }
  ck_assert_msg(refused > 20 && wrong > 5 && shown > 0, "%d refused, %d wrong, %d shown", (int)refused, (int)wrong,
                (int)shown);
  hy_text_free(&llvm);
}
END_TEST

Suite *gate_tile_suite(void) {
  Suite *suite = suite_create("gate_tile");
  TCase *cases = tcase_create("modules");
  tcase_set_timeout(cases, 300);
  tcase_add_loop_test(cases, emitted_modules_are_shown, 0, HY_COUNT(programs));
  tcase_add_loop_test(cases, other_instructions_are_shown, 0, HY_COUNT(harmless));
  tcase_add_loop_test(cases, branches_on_data_are_joined, 0, 2);
  tcase_add_loop_test(cases, faults_are_found, 0, HY_COUNT(faults));
  tcase_add_loop_test(cases, what_is_not_known_is_undecided, 0, HY_COUNT(unknown));
  tcase_add_test(cases, any_text_has_an_answer);
  suite_add_tcase(suite, cases);
  return suite;
}
