" Halyard: algorithms, schedules, target programs. Written by editors/generate.py.
if exists("b:current_syntax")
  finish
endif

syn keyword halyardType int bool u8 u16 u32 u64 i8 i16 i32 i64 f32 f64 f16 bf16
syn keyword halyardBoolean true false
syn keyword halyardConditional if then else
syn match halyardKeyword /\<\%(for\|in\)\>\ze\s*[^ =.[:,)(]/
syn match halyardKeyword /\<in\>\ze\s\+(/
syn match halyardKeyword /\<let\>/
syn match halyardKeyword /\<\%(assume\|constrain\|allocate\|compute\|label\|entry\|nop\|buffer\|rdom\|require\|include\|contract\|exact\|fma\|real\|estimate\|default\|inline\|on\|of\|by\|keeping\|stages\|order\|align\|fold\|stride\|guard\|implied\|specialize\)\>\ze\s*[^ =.,)]/
syn match halyardConstant /\<\%(serial\|parallel\|vectorized\|unrolled\|guard\|round\|shift\|heap\|stack\|root\)\>\ze\%(\s*[,)]\|\s\+\w\)/
syn match halyardAssumption /\%(\<assume\s\+\)\@<=\%(rdom\|factor\|range\|parameter\|require\|window\|image\|need\|bound\|length\|undecided\|constrain\)\>/
syn match halyardFunction /\<\%(select\|min\|max\|abs\|sqrt\|floor\|ceil\|round\|trunc\|sin\|cos\|exp\|log\|pow\|tan\|atan\|atan2\|tanh\|fma\|popcount\|count_leading_zeros\|count_trailing_zeros\|f32_bits\|f64_bits\|f32_from_bits\|f64_from_bits\|asin\|acos\|sinh\|cosh\|asinh\|acosh\|atanh\|f16_bits\|f16_from_bits\|bf16_bits\|bf16_from_bits\|erf\|clamp\|absd\|widening_add\|widening_sub\|widening_mul\|saturating_add\|saturating_sub\|halving_add\|halving_sub\|rounding_halving_add\|rounding_shift_left\|rounding_shift_right\|mul_shift_right\|rounding_mul_shift_right\|u8_sat\|u16_sat\|u32_sat\|u64_sat\|i8_sat\|i16_sat\|i32_sat\|i64_sat\|widening_shift_left\|widening_shift_right\|div_round_to_zero\|mod_round_to_zero\|lerp\|is_nan\|is_inf\|is_finite\|fract\|hypot\|fast_inverse\|fast_inverse_sqrt\|fast_exp\|fast_log\|fast_pow\|fast_sin\|fast_cos\|reinterpret_u8\|reinterpret_u16\|reinterpret_u32\|reinterpret_u64\|reinterpret_i8\|reinterpret_i16\|reinterpret_i32\|reinterpret_i64\|reinterpret_f32\|reinterpret_f64\|reinterpret_f16\|reinterpret_bf16\|widen_right_add\|widen_right_sub\|widen_right_mul\|concat_bits\|extract_bits_u8\|extract_bits_u16\|extract_bits_u32\|extract_bits_u64\|extract_bits_i8\|extract_bits_i16\|extract_bits_i32\|extract_bits_i64\|extract_bits_f32\|extract_bits_f64\|extract_bits_f16\|extract_bits_bf16\|repeat_edge\|constant_exterior\|repeat_image\|mirror_image\|mirror_interior\|sum\|product\|minimum\|maximum\|argmin\|argmax\|saturating_sum\)\>\ze\s*(/
syn match halyardKeyword /\<\%(rdom\)\>\ze\s*(/
syn match halyardReduction /\<\%(sum\|product\|minimum\|maximum\|argmin\|argmax\|saturating_sum\)\>\ze\s\+\w\+(/
syn match halyardDirective /^\s*\zs\%(wrap\|clone\|split_reduction\|rfactor\|compute_inline\|specialize\|split\|fuse\|swap\|traverse\|copy\|compute_at\|store_at\|bound\|bound_extent\|align_bounds\|slide\|reorder_storage\|align_storage\|store_in\|fold_storage\|set_stride\|require_stride\|set_host_alignment\)\ze(/
syn match halyardDirective /\.\@<=\%(wrap\|clone\|split_reduction\|rfactor\|compute_inline\|specialize\|split\|fuse\|swap\|traverse\|copy\|compute_at\|store_at\|bound\|bound_extent\|align_bounds\|slide\|reorder_storage\|align_storage\|store_in\|fold_storage\|set_stride\|require_stride\|set_host_alignment\|in\|clone_in\|rfactor\|update\|specialize\|tile\|fuse\|reorder\|serial\|parallel\|vectorize\|unroll\|compute_at\|compute_root\|store_at\|store_root\|slide\)\ze(/
syn match halyardMember /\.\@<=\%(min\|len\|extent\|max\|width\|height\|channels\|left\|right\|top\|bottom\)\>/
syn match halyardHole /?\%(mem\|cpu\|need\|for\)\>/
syn match halyardHead /\<\%(pipeline\|schedule\|target\|fun\|func\|def\|const\)\>\ze\s\+\w/ nextgroup=halyardName skipwhite
syn match halyardName /\w\+/ contained
syn match halyardNumber /\<\d\+\%(\.\.\@!\d*\)\?\%([eE][+-]\?\d\+\)\?/
syn match halyardNumber /\<0[xX]\x\+\>/
syn match halyardOperator /==\|!=\|<=\|>=\|&&\|||\|<<\|>>\|<-\|->\|\.\.\|+\|-\|\*\|\/\|%\|<\|>\|!\|&\|\^\||\|\~\|=\|?/
syn region halyardComment start=+//+ end=+$+ contains=@Spell
syn region halyardComment start=+/\*+ end=+\*/+ contains=@Spell

hi def link halyardType Type
hi def link halyardBoolean Boolean
hi def link halyardConditional Conditional
hi def link halyardKeyword Statement
hi def link halyardConstant Constant
hi def link halyardAssumption Special
hi def link halyardFunction Function
hi def link halyardReduction Function
hi def link halyardDirective Function
hi def link halyardMember Identifier
hi def link halyardHole Special
hi def link halyardHead Structure
hi def link halyardName Identifier
hi def link halyardNumber Number
hi def link halyardOperator Operator
hi def link halyardComment Comment

setlocal commentstring=//\ %s
let b:current_syntax = "halyard"
