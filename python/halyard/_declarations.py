"""Made by python/declare.py of include/halyard.h: do not change it by hand."""

import enum
from ctypes import (POINTER, Structure, c_bool, c_char_p, c_int, c_int64, c_size_t, c_uint, c_uint32,
                    c_uint64, c_void_p)

VERSION = "0.1.0"
HALYARD_MOST_DIMENSIONS = 8
HALYARD_CHAIN = -1


class halyard_z3(enum.IntEnum):
    HERE = 0
    NOBODY = 1
    HELPER = 2


class halyard_problem(enum.IntEnum):
    MISUSE = 1
    REFUSED = 2
    UNPROVED = 3
    FAILED = 4
    NO_MEMORY = 5
    NO_FILE = 6
    DEFECT = 7


class halyard_severity(enum.IntEnum):
    ERROR = 0
    WARNING = 1
    NOTE = 2


class halyard_answer(enum.IntEnum):
    NO = 0
    YES = 1
    UNKNOWN = 2


class halyard_role(enum.IntEnum):
    PARAM = 0
    IMAGE = 1
    OUTPUT = 2


class halyard_stage(enum.IntEnum):
    ALGORITHM = 0
    SCHEDULE = 1
    LOWERED = 2
    SCHEDULED = 3
    FILLED = 4
    LLVM = 5
    ASM = 6


class halyard_type(enum.IntEnum):
    INT = 0
    BOOL = 1
    U8 = 2
    U16 = 3
    U32 = 4
    U64 = 5
    I8 = 6
    I16 = 7
    I32 = 8
    I64 = 9
    F32 = 10
    F64 = 11
    F16 = 12
    BF16 = 13


class halyard_table(enum.IntEnum):
    TYPES = 0
    OPERATORS = 1
    FUNCTIONS = 2
    REDUCTIONS = 3
    BOUNDARIES = 4
    METHODS = 5


class halyard_operand_kind(enum.IntEnum):
    NONE = 0
    SIGNED = 1
    UNSIGNED = 2
    REAL = 3
    EXPR = 4
    FUNC = 5
    NAME = 6
    BUFFER = 7


class halyard_options(Structure):
    _fields_ = [
        ("size", c_size_t),
        ("z3", c_int),
        ("z3_steps", c_uint),
        ("entry_checks", c_bool),
    ]


class halyard_diagnostic(Structure):
    _fields_ = [
        ("severity", c_int),
        ("code", c_int),
        ("file", c_char_p),
        ("line", c_uint32),
        ("column", c_uint32),
        ("length", c_uint32),
        ("message", c_char_p),
        ("rule", c_char_p),
        ("hint", c_char_p),
        ("text", c_char_p),
    ]


class halyard_obligation(Structure):
    _fields_ = [
        ("answer", c_int),
        ("by_z3", c_bool),
        ("rule", c_char_p),
        ("about", c_char_p),
        ("model", c_char_p),
    ]


class halyard_declaration(Structure):
    _fields_ = [
        ("role", c_int),
        ("name", c_char_p),
        ("type", c_int),
        ("dimensions", c_int),
        ("is_default", c_bool),
    ]


class halyard_buffer(Structure):
    _fields_ = [
        ("data", c_void_p),
        ("type", c_int),
        ("dimensions", c_int),
        ("min", c_int64 * 8),
        ("extent", c_int64 * 8),
        ("stride", c_int64 * 8),
    ]


class halyard_operand(Structure):
    _fields_ = [
        ("kind", c_int),
        ("is_", c_uint64),
    ]


class halyard_argument(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("value", halyard_operand),
    ]


class halyard_word(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("operands", c_int),
        ("is_condition", c_bool),
        ("form", c_char_p),
        ("meaning", c_char_p),
    ]


# Of each function its result and its arguments.
FUNCTIONS = {
    "halyard_version": (c_char_p, []),
    "halyard_context_new": (c_void_p, [POINTER(halyard_options)]),
    "halyard_context_free": (None, [c_void_p]),
    "halyard_mark": (c_uint64, [c_void_p]),
    "halyard_release": (c_bool, [c_void_p, c_uint64]),
    "halyard_last_error": (c_void_p, [c_void_p]),
    "halyard_clear_error": (None, [c_void_p]),
    "halyard_error_problem": (c_int, [c_void_p]),
    "halyard_error_call": (c_char_p, [c_void_p]),
    "halyard_error_message": (c_char_p, [c_void_p]),
    "halyard_error_diagnostic": (POINTER(halyard_diagnostic), [c_void_p, c_size_t]),
    "halyard_parse": (c_void_p, [c_void_p, c_char_p]),
    "halyard_parse_program": (c_void_p, [c_void_p, c_char_p]),
    "halyard_parse_file": (c_void_p, [c_void_p, c_char_p]),
    "halyard_pipeline_free": (None, [c_void_p]),
    "halyard_schedule": (c_bool, [c_void_p, c_char_p]),
    "halyard_schedule_file": (c_bool, [c_void_p, c_char_p, c_char_p]),
    "halyard_unschedule": (c_bool, [c_void_p]),
    "halyard_print_algorithm": (c_char_p, [c_void_p]),
    "halyard_print_schedule": (c_char_p, [c_void_p]),
    "halyard_check": (c_void_p, [c_void_p]),
    "halyard_result_free": (None, [c_void_p]),
    "halyard_result_answer": (c_int, [c_void_p]),
    "halyard_result_diagnostic": (POINTER(halyard_diagnostic), [c_void_p, c_size_t]),
    "halyard_result_obligation": (POINTER(halyard_obligation), [c_void_p, c_size_t]),
    "halyard_result_declaration": (POINTER(halyard_declaration), [c_void_p, c_size_t]),
    "halyard_print": (c_char_p, [c_void_p, c_int]),
    "halyard_compile": (c_void_p, [c_void_p]),
    "halyard_code_free": (None, [c_void_p]),
    "halyard_object": (c_void_p, [c_void_p, c_char_p, POINTER(c_size_t)]),
    "halyard_header": (c_char_p, [c_void_p, c_char_p]),
    "halyard_write": (c_bool, [c_void_p, c_char_p, c_char_p]),
    "halyard_dense": (halyard_buffer, [c_void_p, c_int, c_int64, c_int64, c_int64]),
    "halyard_from_halide": (c_bool, [c_void_p, POINTER(halyard_buffer)]),
    "halyard_realize": (c_bool, [c_void_p, POINTER(halyard_argument), c_size_t, POINTER(halyard_buffer)]),
    "halyard_realize_all": (c_bool, [c_void_p, POINTER(halyard_argument), c_size_t, POINTER(halyard_argument), c_size_t]),
    "halyard_pipeline_new": (c_void_p, [c_void_p, c_char_p]),
    "halyard_param": (c_void_p, [c_void_p, c_char_p, c_int]),
    "halyard_param_text": (c_void_p, [c_void_p, c_char_p, c_int, c_char_p]),
    "halyard_image": (c_void_p, [c_void_p, c_char_p, c_int, c_int]),
    "halyard_pipeline_require": (c_bool, [c_void_p, halyard_operand]),
    "halyard_contract": (c_bool, [c_void_p, c_char_p]),
    "halyard_var": (c_void_p, [c_void_p, c_char_p]),
    "halyard_number": (c_void_p, [c_void_p, halyard_operand]),
    "halyard_image_min": (c_void_p, [c_void_p, c_int]),
    "halyard_image_len": (c_void_p, [c_void_p, c_int]),
    "halyard_operation": (c_void_p, [c_char_p, c_size_t, POINTER(halyard_operand)]),
    "halyard_convert": (c_void_p, [c_int, halyard_operand]),
    "halyard_call": (c_void_p, [c_void_p, c_size_t, POINTER(halyard_operand)]),
    "halyard_part": (c_void_p, [c_void_p, c_int]),
    "halyard_rdom_new": (c_void_p, [c_void_p]),
    "halyard_rdom_range": (c_void_p, [c_void_p, c_char_p, halyard_operand, halyard_operand]),
    "halyard_reduction": (c_void_p, [c_char_p, c_void_p, c_void_p]),
    "halyard_reduction_as": (c_void_p, [c_char_p, c_char_p, c_void_p, c_void_p, halyard_operand]),
    "halyard_reduction_func": (c_void_p, [c_void_p]),
    "halyard_func_define": (c_void_p, [c_void_p, c_char_p, c_size_t, POINTER(halyard_operand), c_size_t, POINTER(halyard_operand)]),
    "halyard_func_update": (c_bool, [c_void_p, c_void_p, c_size_t, POINTER(halyard_operand), c_size_t, POINTER(halyard_operand), halyard_operand]),
    "halyard_func_boundary": (c_void_p, [c_char_p, c_char_p, c_void_p, halyard_operand, c_size_t, POINTER(halyard_operand)]),
    "halyard_func_text": (c_void_p, [c_void_p, c_char_p, c_char_p]),
    "halyard_pipeline_outputs": (c_bool, [c_void_p, c_size_t, POINTER(halyard_operand)]),
    "halyard_func_schedule": (c_bool, [c_void_p, c_int, c_char_p, c_size_t, POINTER(halyard_operand)]),
    "halyard_print_expr": (c_char_p, [c_void_p]),
    "halyard_word_at": (POINTER(halyard_word), [c_int, c_size_t]),
}
