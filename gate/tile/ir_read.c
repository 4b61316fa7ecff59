// The one file of gate/ that sees LLVM: from a module's text to plain data.

#include "gate/tile/ir.h"
#include "semantics/base/arena.h"
#include "semantics/base/failure.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <llvm-c/Target.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  const void *key;
  uint32_t number;
} entry;

typedef struct {
  hy_arena *arena;
  LLVMModuleRef module;
  LLVMTargetDataRef layout;
  hy_ir_module *out;
  hy_ir_function *function;
  HY_VEC(hy_ir_value) values;
  HY_VEC(hy_ir_constant) constants;
  entry *table; // values and blocks of the function
  size_t table_size, table_count;
} reader;

/* -- numbers of things -- */

static entry *slot_of(reader *r, const void *key) {
  size_t at = ((uintptr_t)key >> 4) * UINT64_C(0x9e3779b97f4a7c15) >> 20 & (r->table_size - 1);
  while (r->table[at].key && r->table[at].key != key) at = (at + 1) & (r->table_size - 1);
  return &r->table[at];
}

static void remember(reader *r, const void *key, uint32_t number) {
  if (2 * r->table_count >= r->table_size) {
    entry *old = r->table;
    size_t size = r->table_size;
    r->table_size = size ? 2 * size : 256;
    r->table = hy_allocate_zeroed(r->table_size, sizeof *r->table);
    for (size_t i = 0; i < size; i++)
      if (old[i].key) *slot_of(r, old[i].key) = old[i];
    hy_free(old);
  }
  entry *e = slot_of(r, key);
  r->table_count += !e->key;
  *e = (entry){key, number};
}

static bool recall(reader *r, const void *key, uint32_t *number) {
  entry *e = r->table_size ? slot_of(r, key) : NULL;
  if (!e || !e->key) return false;
  *number = e->number;
  return true;
}

/* -- types -- */

// Bits of a word: a number, float, double or pointer. 0: it is something else.
static int word_bits(LLVMTypeRef type) {
  switch ((int)LLVMGetTypeKind(type)) {
  case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(type) <= 64 ? (int)LLVMGetIntTypeWidth(type) : 0;
  case LLVMFloatTypeKind: return 32;
  case LLVMDoubleTypeKind:
  case LLVMPointerTypeKind: return 64;
  default: return 0;
  }
}

// Lanes and their bits; of a result with its overflow bit, two lanes. False: not known here.
static bool shape_of(LLVMTypeRef type, uint32_t *lanes, int *bits) {
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  *lanes = 1;
  *bits = 0;
  if (kind == LLVMVoidTypeKind) return *lanes = 0, true;
  if (kind == LLVMVectorTypeKind) *lanes = LLVMGetVectorSize(type), type = LLVMGetElementType(type);
  if (kind == LLVMStructTypeKind) {
    if (LLVMCountStructElementTypes(type) != 2) return false;
    LLVMTypeRef second = LLVMStructGetTypeAtIndex(type, 1);
    if (LLVMGetTypeKind(second) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(second) != 1) return false;
    *lanes = 2, type = LLVMStructGetTypeAtIndex(type, 0);
  }
  *bits = word_bits(type);
  return *bits;
}

/* -- values -- */

static uint32_t add_value(reader *r, const void *key, uint32_t lanes, int bits) {
  uint32_t number = (uint32_t)r->values.count;
  hy_vec_push(&r->values, ((hy_ir_value){r->function->lane_count, lanes, (uint8_t)bits}));
  r->function->lane_count += lanes;
  if (key) remember(r, key, number);
  return number;
}

static uint32_t function_number(reader *r, LLVMValueRef function) {
  uint32_t number = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(r->module); f && f != function; f = LLVMGetNextFunction(f)) number++;
  return number;
}

static uint64_t real_bits(LLVMValueRef c, int bits) {
  LLVMBool loses;
  double d = LLVMConstRealGetDouble(c, &loses);
  float f = (float)d;
  uint32_t low;
  uint64_t high;
  memcpy(&low, &f, sizeof low);
  memcpy(&high, &d, sizeof high);
  return bits == 32 ? low : high;
}

/* -- memory with constants -- */

static void add_table(reader *r, LLVMValueRef global) {
  LLVMValueRef contents = LLVMGetInitializer(global);
  LLVMTypeRef type = LLVMGlobalGetValueType(global);
  if (!LLVMIsGlobalConstant(global) || !contents || LLVMGetTypeKind(type) != LLVMArrayTypeKind) return;
  int bits = word_bits(LLVMGetElementType(type));
  uint64_t count = LLVMGetArrayLength2(type), each = (uint64_t)bits / 8;
  if (bits == 0 || bits % 8 || LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMPointerTypeKind) return;
  hy_ir_table *table = &r->out->tables[r->out->table_count];
  *table = (hy_ir_table){HY_NEW_ARRAY(r->arena, uint8_t, count * each), count * each, global};
  for (uint64_t i = 0; i < count; i++) {
    LLVMValueRef element = LLVMGetAggregateElement(contents, (unsigned)i);
    bool is_int = element && LLVMIsAConstantInt(element), is_real = element && LLVMIsAConstantFP(element);
    if (!is_int && !is_real) return;
    uint64_t word = is_int ? LLVMConstIntGetZExtValue(element) : real_bits(element, bits);
    memcpy(table->bytes + i * each, &word, each);
  }
  r->out->table_count++;
}

static void read_tables(reader *r) {
  size_t count = 0;
  for (LLVMValueRef g = LLVMGetFirstGlobal(r->module); g; g = LLVMGetNextGlobal(g)) count++;
  r->out->tables = HY_NEW_ARRAY(r->arena, hy_ir_table, count);
  for (LLVMValueRef g = LLVMGetFirstGlobal(r->module); g; g = LLVMGetNextGlobal(g)) add_table(r, g);
}

// A table, or a place in it.
static bool table_of(const reader *r, LLVMValueRef c, hy_ir_constant *k) {
  while (LLVMIsAConstantExpr(c) && LLVMGetConstOpcode(c) == LLVMGetElementPtr) {
    LLVMTypeRef type = LLVMGetGEPSourceElementType(c);
    for (int i = 1; i < LLVMGetNumOperands(c); i++) {
      LLVMValueRef index = LLVMGetOperand(c, (unsigned)i);
      if (!LLVMIsAConstantInt(index) || (i > 1 && LLVMGetTypeKind(type) != LLVMArrayTypeKind)) return false;
      if (i > 1) type = LLVMGetElementType(type);
      k->offset += LLVMConstIntGetSExtValue(index) * (int64_t)LLVMABISizeOfType(r->layout, type);
    }
    c = LLVMGetOperand(c, 0);
  }
  for (k->number = 0; k->number < r->out->table_count; k->number++)
    if (r->out->tables[k->number].global == c) return true;
  return false;
}

static hy_ir_constant constant_of(reader *r, LLVMValueRef c, int bits) {
  hy_ir_constant k = {.kind = HY_IR_UNKNOWN, .bits = (uint8_t)bits};
  if (LLVMIsUndef(c) || LLVMIsPoison(c))
    k.kind = HY_IR_POISON;
  else if (LLVMIsNull(c))
    k.kind = HY_IR_NUMBER;
  else if (LLVMIsAConstantInt(c))
    k.kind = HY_IR_NUMBER, k.number = LLVMConstIntGetZExtValue(c);
  else if (LLVMIsAConstantFP(c))
    k.kind = HY_IR_NUMBER, k.number = real_bits(c, bits);
  else if (LLVMIsAFunction(c))
    k.kind = HY_IR_FUNCTION, k.number = function_number(r, c);
  else if (bits == 64 && table_of(r, c, &k))
    k.kind = HY_IR_TABLE;
  return k;
}

static uint32_t constant_value(reader *r, LLVMValueRef c) {
  uint32_t lanes, number;
  int bits;
  bool is_known = shape_of(LLVMTypeOf(c), &lanes, &bits) && lanes;
  if (!is_known) lanes = 1, bits = 1;
  number = add_value(r, c, lanes, bits);
  bool is_vector = is_known && LLVMGetTypeKind(LLVMTypeOf(c)) == LLVMVectorTypeKind;
  for (uint32_t l = 0; l < lanes; l++) {
    LLVMValueRef part = is_vector ? LLVMGetAggregateElement(c, l) : c;
    hy_ir_constant k = {.kind = HY_IR_UNKNOWN, .bits = (uint8_t)bits};
    if (is_known && part) k = constant_of(r, part, bits);
    k.lane = r->values.data[number].first + l;
    hy_vec_push(&r->constants, k);
  }
  return number;
}

static uint32_t value_of(reader *r, LLVMValueRef v) {
  uint32_t number;
  return recall(r, v, &number) ? number : constant_value(r, v);
}

static uint32_t block_of(reader *r, LLVMBasicBlockRef b) {
  uint32_t number = 0;
  recall(r, b, &number);
  return number;
}

/* -- instructions -- */

static const char *copied(reader *r, const char *text, size_t length) { return hy_arena_copy(r->arena, text, length); }

static void unknown(reader *r, hy_ir_inst *i, LLVMValueRef v) {
  char *text = LLVMPrintValueToString(v);
  size_t length = strlen(text), start = strspn(text, " ");
  i->op = HY_IR_OTHER;
  i->name = copied(r, text + start, length - start < 100 ? length - start : 100);
  LLVMDisposeMessage(text);
}

static const uint8_t binaries[] = {
    [LLVMAdd] = HY_NODE_ADD,   [LLVMMul] = HY_NODE_MUL,   [LLVMUDiv] = HY_NODE_UDIV, [LLVMSDiv] = HY_NODE_SDIV,
    [LLVMURem] = HY_NODE_UREM, [LLVMSRem] = HY_NODE_SREM, [LLVMShl] = HY_NODE_SHL,   [LLVMLShr] = HY_NODE_LSHR,
    [LLVMAShr] = HY_NODE_ASHR, [LLVMAnd] = HY_NODE_AND,   [LLVMOr] = HY_NODE_OR,     [LLVMXor] = HY_NODE_XOR,
    [LLVMFAdd] = HY_NODE_FADD, [LLVMFSub] = HY_NODE_FSUB, [LLVMFMul] = HY_NODE_FMUL, [LLVMFDiv] = HY_NODE_FDIV,
};

static unsigned loose_of(LLVMValueRef v) {
  if (!LLVMCanValueUseFastMathFlags(v)) return 0;
  unsigned flags = LLVMGetFastMathFlags(v), loose = 0;
  if (flags & LLVMFastMathAllowContract) loose |= HY_LOOSE_CONTRACT;
  if (flags & LLVMFastMathAllowReassoc) loose |= HY_LOOSE_REASSOCIATE;
  if (flags & LLVMFastMathNoNaNs) loose |= HY_LOOSE_NO_NAN;
  if (flags & ~(unsigned)(LLVMFastMathAllowContract | LLVMFastMathAllowReassoc | LLVMFastMathNoNaNs))
    loose |= HY_LOOSE_OTHER;
  return loose;
}

static void read_binary(hy_ir_inst *i, LLVMValueRef v, LLVMOpcode op) {
  bool wraps = op == LLVMAdd || op == LLVMSub || op == LLVMMul || op == LLVMShl;
  bool is_exact = op == LLVMUDiv || op == LLVMSDiv || op == LLVMLShr || op == LLVMAShr;
  i->op = HY_IR_BINARY;
  i->node = op == LLVMSub ? 0 : binaries[op]; // 0: a difference
  if (wraps && LLVMGetNUW(v)) i->flags |= HY_IR_NUW;
  if (wraps && LLVMGetNSW(v)) i->flags |= HY_IR_NSW;
  if (is_exact && LLVMGetExact(v)) i->flags |= HY_IR_EXACT;
  if (op == LLVMOr && LLVMGetIsDisjoint(v)) i->flags |= HY_IR_DISJOINT;
}

static void read_icmp(hy_ir_inst *i, LLVMIntPredicate p) {
  static const hy_ir_predicate table[] = {
      [LLVMIntEQ] = {{HY_NODE_EQ, 0}, false, false},   [LLVMIntNE] = {{HY_NODE_EQ, 0}, false, true},
      [LLVMIntULT] = {{HY_NODE_ULT, 0}, false, false}, [LLVMIntUGE] = {{HY_NODE_ULT, 0}, false, true},
      [LLVMIntUGT] = {{HY_NODE_ULT, 0}, true, false},  [LLVMIntULE] = {{HY_NODE_ULT, 0}, true, true},
      [LLVMIntSLT] = {{HY_NODE_SLT, 0}, false, false}, [LLVMIntSGE] = {{HY_NODE_SLT, 0}, false, true},
      [LLVMIntSGT] = {{HY_NODE_SLT, 0}, true, false},  [LLVMIntSLE] = {{HY_NODE_SLT, 0}, true, true},
  };
  i->op = HY_IR_ICMP;
  i->predicate = table[p];
}

// Of "one" (a < b or b < a) and "ueq" the second half is LT or UNORDERED.
static void read_fcmp(reader *r, hy_ir_inst *i, LLVMValueRef v, LLVMRealPredicate p) {
  static const hy_ir_predicate table[] = {
      [LLVMRealOEQ] = {{HY_NODE_FEQ, 0}, false, false},
      [LLVMRealUNE] = {{HY_NODE_FEQ, 0}, false, true},
      [LLVMRealOLT] = {{HY_NODE_FLT, 0}, false, false},
      [LLVMRealUGE] = {{HY_NODE_FLT, 0}, false, true},
      [LLVMRealOGT] = {{HY_NODE_FLT, 0}, true, false},
      [LLVMRealULE] = {{HY_NODE_FLT, 0}, true, true},
      [LLVMRealOLE] = {{HY_NODE_FLE, 0}, false, false},
      [LLVMRealUGT] = {{HY_NODE_FLE, 0}, false, true},
      [LLVMRealOGE] = {{HY_NODE_FLE, 0}, true, false},
      [LLVMRealULT] = {{HY_NODE_FLE, 0}, true, true},
      [LLVMRealUNO] = {{HY_NODE_FUNORDERED, 0}, false, false},
      [LLVMRealORD] = {{HY_NODE_FUNORDERED, 0}, false, true},
      [LLVMRealUEQ] = {{HY_NODE_FEQ, HY_NODE_FUNORDERED}, false, false},
      [LLVMRealONE] = {{HY_NODE_FEQ, HY_NODE_FUNORDERED}, false, true},
  };
  if (p < LLVMRealOEQ || p > LLVMRealUNE) {
    unknown(r, i, v);
    return;
  }
  i->op = HY_IR_FCMP;
  i->predicate = table[p];
}

static void read_cast(hy_ir_inst *i, LLVMValueRef v, LLVMOpcode op) {
  static const uint8_t nodes[] = {
      [LLVMTrunc] = HY_NODE_TRUNC,        [LLVMZExt] = HY_NODE_ZEXT,        [LLVMSExt] = HY_NODE_SEXT,
      [LLVMFPToUI] = HY_NODE_TO_UNSIGNED, [LLVMFPToSI] = HY_NODE_TO_SIGNED, [LLVMUIToFP] = HY_NODE_FROM_UNSIGNED,
      [LLVMSIToFP] = HY_NODE_FROM_SIGNED, [LLVMFPTrunc] = HY_NODE_FCUT,     [LLVMFPExt] = HY_NODE_FEXT,
      [LLVMPtrToInt] = HY_NODE_TRUNC,     [LLVMIntToPtr] = HY_NODE_ZEXT,    [LLVMBitCast] = 0,
  };
  i->op = HY_IR_CAST;
  i->node = nodes[op];
  i->poisons = op == LLVMFPToUI || op == LLVMFPToSI;
  if ((op == LLVMZExt || op == LLVMUIToFP) && LLVMGetNNeg(v)) i->flags |= HY_IR_NNEG;
}

static void read_shuffle(reader *r, hy_ir_inst *i, LLVMValueRef v) {
  unsigned count = LLVMGetNumMaskElements(v);
  i->op = HY_IR_SHUFFLE;
  i->mask = HY_NEW_ARRAY(r->arena, int32_t, count);
  for (unsigned l = 0; l < count; l++) {
    int at = LLVMGetMaskValue(v, l);
    i->mask[l] = at == LLVMGetUndefMaskElem() ? -1 : at;
  }
}

static void read_access(reader *r, hy_ir_inst *i, LLVMValueRef v, LLVMTypeRef type, bool is_store) {
  uint32_t lanes;
  int bits;
  LLVMTypeKind kind = LLVMGetTypeKind(type);
  if (LLVMGetVolatile(v) || LLVMGetOrdering(v) != LLVMAtomicOrderingNotAtomic || kind == LLVMStructTypeKind ||
      !shape_of(type, &lanes, &bits) || (lanes > 1 && bits % 8)) {
    unknown(r, i, v);
    return;
  }
  i->op = is_store ? HY_IR_STORE : HY_IR_LOAD;
  i->bits = (uint8_t)bits;
  i->lanes = lanes;
  i->align = LLVMGetAlignment(v);
}

// operand 0 and terms: each index with the size of what it counts.
static void read_address(reader *r, hy_ir_inst *i, LLVMValueRef v) {
  LLVMTypeRef type = LLVMGetGEPSourceElementType(v);
  int count = LLVMGetNumOperands(v);
  i->op = HY_IR_ADDRESS;
  i->terms = HY_NEW_ARRAY(r->arena, hy_ir_term, count);
  if (LLVMIsInBounds(v)) i->flags |= HY_IR_INBOUNDS;
  for (int k = 1; k < count; k++) {
    LLVMValueRef index = LLVMGetOperand(v, (unsigned)k);
    if (k > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
      unsigned at = (unsigned)LLVMConstIntGetZExtValue(index);
      i->offset += (int64_t)LLVMOffsetOfElement(r->layout, type, at);
      type = LLVMStructGetTypeAtIndex(type, at);
      continue;
    }
    if (k > 1) type = LLVMGetElementType(type);
    int64_t size = (int64_t)LLVMABISizeOfType(r->layout, type);
    if (LLVMIsAConstantInt(index))
      i->offset += LLVMConstIntGetSExtValue(index) * size;
    else
      i->terms[i->term_count++] = (hy_ir_term){(uint32_t)k, size};
  }
}

static void read_alloca(reader *r, hy_ir_inst *i, LLVMValueRef v) {
  LLVMValueRef count = LLVMGetOperand(v, 0);
  if (!LLVMIsAConstantInt(count)) {
    unknown(r, i, v);
    return;
  }
  i->op = HY_IR_ALLOCA;
  i->offset = (int64_t)(LLVMABISizeOfType(r->layout, LLVMGetAllocatedType(v)) * LLVMConstIntGetZExtValue(count));
  i->align = LLVMGetAlignment(v);
  i->operand_count = 0;
}

static void read_call(reader *r, hy_ir_inst *i, LLVMValueRef v) {
  LLVMValueRef callee = LLVMGetCalledValue(v);
  size_t length;
  if (!LLVMIsAFunction(callee) || LLVMGetNumOperandBundles(v)) {
    unknown(r, i, v);
    return;
  }
  const char *name = LLVMGetValueName2(callee, &length);
  i->op = HY_IR_CALL;
  i->name = copied(r, name, length);
  i->operand_count = LLVMGetNumArgOperands(v);
}

static void read_switch(reader *r, hy_ir_inst *i, LLVMValueRef v) {
  int count = LLVMGetNumOperands(v) / 2;
  i->op = HY_IR_SWITCH;
  i->block_count = (uint32_t)count;
  i->blocks = HY_NEW_ARRAY(r->arena, uint32_t, count);
  i->cases = HY_NEW_ARRAY(r->arena, uint64_t, count);
  for (int k = 0; k < count; k++) {
    i->blocks[k] = block_of(r, LLVMValueAsBasicBlock(LLVMGetOperand(v, (unsigned)(2 * k + 1))));
    if (k) i->cases[k] = LLVMConstIntGetZExtValue(LLVMGetOperand(v, (unsigned)(2 * k)));
  }
  i->operand_count = 1;
}

static void read_branch(reader *r, hy_ir_inst *i, LLVMValueRef v) {
  i->op = HY_IR_BRANCH;
  i->block_count = LLVMGetNumSuccessors(v);
  i->blocks = HY_NEW_ARRAY(r->arena, uint32_t, 2);
  for (unsigned k = 0; k < i->block_count; k++) i->blocks[k] = block_of(r, LLVMGetSuccessor(v, k));
  i->operand_count = LLVMIsConditional(v) ? 1 : 0;
}

static void read_phi(reader *r, hy_ir_inst *i, LLVMValueRef v) {
  i->op = HY_IR_PHI;
  i->block_count = LLVMCountIncoming(v);
  i->blocks = HY_NEW_ARRAY(r->arena, uint32_t, i->block_count);
  for (unsigned k = 0; k < i->block_count; k++) i->blocks[k] = block_of(r, LLVMGetIncomingBlock(v, k));
}

static void read_kind(reader *r, hy_ir_inst *i, LLVMValueRef v) {
  LLVMOpcode op = LLVMGetInstructionOpcode(v);
  switch ((int)op) {
  case LLVMFNeg: i->op = HY_IR_FNEG; return;
  case LLVMICmp: read_icmp(i, LLVMGetICmpPredicate(v)); return;
  case LLVMFCmp: read_fcmp(r, i, v, LLVMGetFCmpPredicate(v)); return;
  case LLVMSelect: i->op = HY_IR_SELECT; return;
  case LLVMFreeze: i->op = HY_IR_FREEZE; return;
  case LLVMPHI: read_phi(r, i, v); return;
  case LLVMBr: read_branch(r, i, v); return;
  case LLVMSwitch: read_switch(r, i, v); return;
  case LLVMRet: i->op = HY_IR_RETURN; return;
  case LLVMUnreachable: i->op = HY_IR_UNREACHABLE; return;
  case LLVMLoad: read_access(r, i, v, LLVMTypeOf(v), false); return;
  case LLVMStore: read_access(r, i, v, LLVMTypeOf(LLVMGetOperand(v, 0)), true); return;
  case LLVMGetElementPtr: read_address(r, i, v); return;
  case LLVMAlloca: read_alloca(r, i, v); return;
  case LLVMCall: read_call(r, i, v); return;
  case LLVMInsertElement: i->op = HY_IR_INSERT_ELEMENT; return;
  case LLVMExtractElement: i->op = HY_IR_EXTRACT_ELEMENT; return;
  case LLVMShuffleVector: read_shuffle(r, i, v); return;
  case LLVMExtractValue: i->op = HY_IR_EXTRACT_VALUE, i->offset = LLVMGetIndices(v)[0]; return;
  default: break;
  }
  if (op == LLVMSub || (op < HY_COUNT(binaries) && binaries[op]))
    read_binary(i, v, op);
  else if (op >= LLVMTrunc && op <= LLVMBitCast)
    read_cast(i, v, op);
  else
    unknown(r, i, v);
}

// A cast of the same bits in other lanes, or of lanes of pointers, is told as unknown where it is executed.
static void read_inst(reader *r, hy_ir_inst *i, LLVMValueRef v) {
  uint32_t lanes, number = 0;
  int bits;
  i->operand_count = (uint32_t)LLVMGetNumOperands(v);
  recall(r, v, &number);
  i->result = number;
  if (!shape_of(LLVMTypeOf(v), &lanes, &bits)) {
    unknown(r, i, v);
    return;
  }
  i->lanes = lanes, i->bits = (uint8_t)bits;
  i->loose = loose_of(v);
  read_kind(r, i, v);
  i->operands = HY_NEW_ARRAY(r->arena, uint32_t, i->operand_count);
  for (uint32_t k = 0; k < i->operand_count; k++) i->operands[k] = value_of(r, LLVMGetOperand(v, k));
}

/* -- functions -- */

// Freeing is no store: it is what a lack of memory leads to.
static bool may_store(const hy_ir_inst *i) {
  if (i->op != HY_IR_CALL) return i->op == HY_IR_STORE || i->op == HY_IR_OTHER;
  if (strncmp(i->name, "llvm.", 5) != 0) return strcmp(i->name, "hy_runtime_free") != 0;
  return strstr(i->name, "masked.store") || strstr(i->name, "scatter") || strstr(i->name, ".mem");
}

static void read_blocks(reader *r, LLVMValueRef function) {
  hy_ir_function *f = r->function;
  uint32_t number = 0;
  f->block_count = LLVMCountBasicBlocks(function);
  f->blocks = HY_NEW_ARRAY(r->arena, hy_ir_block, f->block_count);
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b), number++) {
    remember(r, b, number);
    for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v)) {
      uint32_t lanes;
      int bits;
      if (!shape_of(LLVMTypeOf(v), &lanes, &bits)) lanes = 1, bits = 1;
      add_value(r, v, lanes, bits);
      f->blocks[number].count++;
    }
    f->blocks[number].insts = HY_NEW_ARRAY(r->arena, hy_ir_inst, f->blocks[number].count);
  }
  number = 0;
  for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b), number++) {
    hy_ir_inst *i = f->blocks[number].insts;
    for (LLVMValueRef v = LLVMGetFirstInstruction(b); v; v = LLVMGetNextInstruction(v), i++) {
      read_inst(r, i, v);
      f->blocks[number].has_store |= may_store(i);
    }
  }
}

static void read_function(reader *r, LLVMValueRef function, hy_ir_function *f) {
  size_t length;
  const char *name = LLVMGetValueName2(function, &length);
  *f = (hy_ir_function){.name = copied(r, name, length), .is_external = LLVMIsDeclaration(function)};
  if (f->is_external) return;
  r->function = f;
  r->values.count = r->constants.count = r->table_count = 0;
  if (r->table) memset(r->table, 0, r->table_size * sizeof *r->table);
  f->param_count = LLVMCountParams(function);
  for (unsigned k = 0; k < f->param_count; k++) {
    LLVMValueRef p = LLVMGetParam(function, k);
    uint32_t lanes;
    int bits;
    if (!shape_of(LLVMTypeOf(p), &lanes, &bits)) lanes = 1, bits = 1;
    add_value(r, p, lanes, bits);
  }
  read_blocks(r, function);
  f->value_count = (uint32_t)r->values.count;
  f->values = HY_NEW_ARRAY(r->arena, hy_ir_value, f->value_count + 1);
  memcpy(f->values, r->values.data, f->value_count * sizeof *f->values);
  f->constant_count = (uint32_t)r->constants.count;
  f->constants = HY_NEW_ARRAY(r->arena, hy_ir_constant, f->constant_count + 1);
  if (f->constant_count) memcpy(f->constants, r->constants.data, f->constant_count * sizeof *f->constants);
}

static void read_module(reader *r) {
  uint32_t count = 0;
  r->layout = LLVMGetModuleDataLayout(r->module);
  read_tables(r);
  for (LLVMValueRef f = LLVMGetFirstFunction(r->module); f; f = LLVMGetNextFunction(f)) count++;
  r->out->functions = HY_NEW_ARRAY(r->arena, hy_ir_function, count + 1);
  r->out->function_count = count;
  count = 0;
  for (LLVMValueRef f = LLVMGetFirstFunction(r->module); f; f = LLVMGetNextFunction(f))
    read_function(r, f, &r->out->functions[count++]);
  hy_vec_free(&r->values);
  hy_vec_free(&r->constants);
  hy_free(r->table);
}

static void close_context(void *context) { LLVMContextDispose(context); }

static void say(char *message, char *why, size_t size) {
  snprintf(why, size, "LLVM refuses the module: %.200s", message ? message : "");
  LLVMDisposeMessage(message);
}

static void quiet(LLVMDiagnosticInfoRef info, void *context) { (void)info, (void)context; }

hy_ir_module *hy_ir_read(const char *text, size_t length, char *why, size_t size) {
  LLVMContextRef context = LLVMContextCreate();
  hy_hold(close_context, context);
  LLVMContextSetDiagnosticHandler(context, quiet, NULL);
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, length, "module");
  reader r = {.arena = hy_arena_new()};
  char *message = NULL;
  bool good = LLVMParseIRInContext(context, buffer, &r.module, &message) == 0; // takes the buffer
  if (!good) say(message, why, size);
  if (good && LLVMVerifyModule(r.module, LLVMReturnStatusAction, &message)) {
    say(message, why, size);
    good = false;
  } else if (good) {
    LLVMDisposeMessage(message);
  }
  if (good) {
    r.out = HY_NEW(r.arena, hy_ir_module);
    r.out->arena = r.arena;
    read_module(&r);
  }
  if (r.module) LLVMDisposeModule(r.module);
  hy_let_go(context);
  LLVMContextDispose(context);
  if (!good) hy_arena_free(r.arena);
  return good ? r.out : NULL;
}

void hy_ir_free(hy_ir_module *module) {
  if (module) hy_arena_free(module->arena);
}

hy_ir_function *hy_ir_find(const hy_ir_module *m, const char *name) {
  for (uint32_t i = 0; i < m->function_count; i++)
    if (strcmp(m->functions[i].name, name) == 0) return &m->functions[i];
  return NULL;
}
