"""The instructions of the machine: their numbers, their layout in memory, the address windows. C++ gets the same numbers."""

from __future__ import annotations

from array import array
from functools import cache

HANDLERS = (
    "nothing load store atomic branch branch_table exit call call_indirect return_call copy_results barrier shuffle vote "
    "warp_barrier match reduce elect active_mask fence trap assert_fail print allocate release clock pack unpack async_copy "
    "async_commit async_wait frame_address space_test mma matrix_load matrix_store matrix_move fragment_load "
    "fragment_store mbarrier vector_atomic texture texture_query"
).split()
"""Instructions with code of their own in the machine; operations of the table follow them."""

HANDLER = {name: number for number, name in enumerate(HANDLERS)}
FIRST_OPERATION = len(HANDLERS)

WORK = (
    "integer float32 float64 special convert move logic load store shared_load shared_store local_load local_store atomic "
    "branch synchronization tensor other"
).split()
"""Classes of instructions that are counted."""

WORK_NUMBER = {name: number for number, name in enumerate(WORK)}

SPACES = ("generic", "shared", "local", "param")
"""Address spaces of instructions; global and constant addresses are generic ones."""

SPACE = {name: number for number, name in enumerate(SPACES)}

WINDOWS = {"shared": 1 << 56, "local": 2 << 56, "param": 3 << 56, "function": 4 << 56, "texture": 5 << 56}
"""Where the generic addresses of a space start. No process has memory there, so that a generic address contains its space."""

SPECIAL = (
    "%tid.x %tid.y %tid.z %ntid.x %ntid.y %ntid.z %ctaid.x %ctaid.y %ctaid.z %nctaid.x %nctaid.y %nctaid.z %laneid %warpid "
    "%lanemask_eq %lanemask_lt %lanemask_le %lanemask_gt %lanemask_ge %smid %gridid %nsmid %nwarpid %dynamic_smem_size "
    "%total_smem_size %envreg1 %envreg2"
).split()
"""Special registers, whose values are set when a warp starts."""

SPECIAL_NUMBER = {name: number for number, name in enumerate(SPECIAL)}

ATOMICS = "exch add min max and or xor cas inc dec".split()
"""Atomic operations and operations of `redux`."""

ATOMIC_NUMBER = {name: number for number, name in enumerate(ATOMICS)}

KINDS = {"u": 0, "b": 0, "s": 1, "f32": 2, "f64": 3, "f16": 4, "bf16": 5, "f16x2": 6, "bf16x2": 7, "tf32": 2}
"""How the bytes of a value are read: unsigned, signed, or as a floating-point type."""

ELEMENTS = "b1 s4 u4 s8 u8 s32 f16 bf16 tf32 f32 f64 e4m3 e5m2".split()
"""Types of the elements of matrices; integers first."""

LAYOUTS = "A B C WMMA".split()
"""How a warp has the elements of a matrix in registers: as PTX defines it for the operands of `mma`, or chosen for `wmma`."""

PRODUCTS = ("times", "xor", "and")
"""How elements of matrices are combined before they are summed up."""

TEXELS = "uint8 uint16 float32 int8 int16 float16 uint32 int32".split()
"""Types of the channels of textures, by Warp's numbers."""

ADDRESS_MODES = "wrap clamp mirror border".split()
"""What coordinates outside of a texture mean, by Warp's numbers."""

PHASE_ACTIONS = "init invalidate arrive arrive_expect drop expect complete copies wait wait_parity pending".split()
"""Actions on an `mbarrier`."""

PHASE_ACTION = {name: number for number, name in enumerate(PHASE_ACTIONS)}

VOLATILE, RELEASE, ACQUIRE, BLOCK_SCOPE = 1, 2, 4, 8
"""Flags of accesses: strong (volatile or relaxed), with release or acquire semantics, and ordered within the block only."""

WITHOUT_COMPLETION, AFTER_COPIES = 16, 32
"""Flags of arrivals at an `mbarrier`: they must not complete a phase; they come after the copies of the thread."""

GRID_WORKSPACE = 0x7D00_0000_0000
"""The address in ``%envreg1`` (high half) and ``%envreg2``, where cooperative groups have the barrier of a grid."""

ROW = 16
"""Words of 32 bits in an encoded instruction."""

IMMEDIATE, LOCATION = 12, 14
"""The words of an instruction that contain the low half of the immediate value, and the index of the source location."""

NONE = -1
"""A slot that an instruction does not use."""


INVALID = {
    "copy_size": "cp.async copies more bytes than its size",
    "barrier": "a barrier has an invalid number or number of threads",
    "call": "a call through a pointer that is no function's address",
    "format": "printf with an invalid format, a width above 200, or more than 65536 characters",
    "branch": "a branch to an entry that its table lacks",
    "form": "an instruction in a form that the machine lacks",
    "matrix_address": "the threads of a warp have different addresses for one matrix",
    "no_phase_barrier": "an mbarrier instruction on memory that contains no barrier",
    "phase_count": "an mbarrier instruction whose count its barrier does not allow",
    "free": "free of an address that malloc has not returned, or that is free already",
    "copies": "more asynchronous copies than the machine can hold before the thread waits for them",
    "memory": "the process has not enough memory for the registers and the memory of a block",
    "texture": "a texture instruction whose handle is no texture of its dimensions",
}
"""Reasons of the finding ``invalid``."""

INVALID_TEXTS = tuple(INVALID.values())
"""The reasons in the order of their numbers."""


def kind_of(ptx_type: str) -> int:
    """Return how the bytes of a type are read."""
    return KINDS.get(ptx_type, KINDS.get(ptx_type[0], 0))


class Code:
    """Encoded instructions; each is one row of the machine's ``struct Instruction``.

    Attributes:
        rows: the words of all instructions while they are written.
        words: the words after `finish`.
        offsets: where each instruction is in the text of the module.
    """

    def __init__(self) -> None:
        self.rows: list[int] = []
        self.words = array("i")
        self.offsets: list[int] = []

    def __len__(self) -> int:
        return len(self.offsets)

    def set_immediate(self, index: int, value: int) -> None:
        """Set the immediate value of an instruction."""
        self.rows[index * ROW + IMMEDIATE] = _word(value)
        self.rows[index * ROW + IMMEDIATE + 1] = _word(value >> 32)

    def finish(self) -> None:
        """Store the instructions as the machine reads them; none can be added later."""
        self.words = array("i", self.rows)
        self.rows = []


@cache
def encoded_properties(
    operation: int | str,
    work: int | str,
    size: int = 0,
    count: int = 0,
    space: int = 0,
    kind: int = 0,
    mode: int = 0,
    flags: int = 0,
) -> tuple[int, int, int]:
    """Return the first, third and fourth word of instructions with these properties; the third lacks ``negated``.

    Args:
        operation: the number or the name of a handler, or the number of a statement of the table plus `FIRST_OPERATION`.
        work: the class that is counted, or its number.
        size: bytes of an element of memory.
        count: elements of a vector.
        space: the address space.
        kind: how elements are read, see `KINDS`.
        mode: a variant of the handler.
        flags: properties of the handler.
    """
    number = operation if isinstance(operation, int) else HANDLER[operation]
    counted = work if isinstance(work, int) else WORK_NUMBER[work]
    return number, counted << 8 | size << 16 | count << 24, space | kind << 8 | mode << 16 | flags << 24


def immediate_words(value: int) -> tuple[int, int]:
    """Return the two words of an immediate value of 64 bits."""
    return _word(value), _word(value >> 32)


def _word(value: int) -> int:
    """Return the low 32 bits as a signed number."""
    value &= 0xFFFFFFFF
    return value - (1 << 32) if value & 0x80000000 else value


def definitions() -> str:
    """Return the C++ text that defines the numbers of this module."""
    groups = {
        "OP_": {name.upper(): number for name, number in HANDLER.items()} | {"FIRST_OPERATION": FIRST_OPERATION},
        "WORK_": {name.upper(): number for name, number in WORK_NUMBER.items()} | {"CLASSES": len(WORK)},
        "SPACE_": {name.upper(): number for name, number in SPACE.items()},
        "SPECIAL_": {"REGISTERS": len(SPECIAL)},
        "ATOMIC_": {name.upper(): number for name, number in ATOMIC_NUMBER.items()},
        "ELEMENT_": {name.upper(): number for number, name in enumerate(ELEMENTS)},
        "LAYOUT_": {name: number for number, name in enumerate(LAYOUTS)},
        "PRODUCT_": {name.upper(): number for number, name in enumerate(PRODUCTS)},
        "TEXEL_": {name.upper(): number for number, name in enumerate(TEXELS)},
        "ADDRESS_": {name.upper(): number for number, name in enumerate(ADDRESS_MODES)},
        "PHASE_": {name.upper(): number for name, number in PHASE_ACTION.items()},
        "": {
            "WITHOUT_COMPLETION": WITHOUT_COMPLETION,
            "AFTER_COPIES": AFTER_COPIES,
            "VOLATILE": VOLATILE,
            "RELEASE": RELEASE,
            "ACQUIRE": ACQUIRE,
            "BLOCK_SCOPE": BLOCK_SCOPE,
        },
        "INVALID_": {name.upper(): number for number, name in enumerate(INVALID)},
        "KIND_": {"UNSIGNED": 0, "SIGNED": 1, "F32": 2, "F64": 3, "F16": 4, "BF16": 5, "F16X2": 6, "BF16X2": 7},
    }
    lines = [
        f"enum {{ {', '.join(f'{prefix}{name}={value}' for name, value in names.items())} }};"
        for prefix, names in groups.items()
    ]
    lines += [f"static const unsigned long long WINDOW_{name.upper()} = {value}ull;" for name, value in WINDOWS.items()]
    lines.append(f"static const unsigned long long GRID_WORKSPACE = {GRID_WORKSPACE}ull;")
    return "\n".join(lines) + "\n"
