"""The chances, weights and limits of the generator: changing one of them changes the kernels of seeds.

A weighted choice is a tuple in which each item occurs as often as it is likely. Ideas and categories contain weights of their
rows, `form_policy` the chances of the forms of a file, `language.render` the styles of spelling, and `language.text_size` the
largest size of a kernel.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

# --------------------------------------------------------------------------------------------------------------- drafts

ATTEMPTS = 20
"""The maximum number of drafts for one key. One kernel in five needs a second draft, hardly any needs a fifth."""

# --------------------------------------------------------------------------------------------------------------- length


MAX_OPERATIONS = 1 << 16
"""More operations than any idea has."""


class Length(Struct, frozen=True, gc=False):
    """How long a kernel is.

    Attributes:
        operations: the bounds of the estimated number of operations of its idea, see `idea_choice.estimate_operations`.
        extra_chance: the probability that a hook receives an extra.
        extra_count: how many extras a hook receives at most.
        inlined: the probability that a function of the catalogue is written in the places of its calls.
        outlined: the probability that parts of the kernel become functions.
    """

    operations: tuple[int, int] = (0, MAX_OPERATIONS)
    extra_chance: float = 0.5
    extra_count: int = 1
    inlined: float = 0.0
    outlined: float = 0.0


_MEDIUM = (
    *[Length((0, 80), 0.2, 1, 0.0, 0.5)] * 24,
    *[Length((60, 260), 0.1, 2, 0.1, 0.7)] * 10,
    *[Length((200, MAX_OPERATIONS), 0.1, 4, 0.5, 0.3)] * 5,
)
_LONG = Length((400, MAX_OPERATIONS), 0.1, 4, 0.95)

LENGTHS: Mapping[str, tuple[Length, ...]] = {
    "small": (Length((0, 100), 0.1, 1, 0.1, 0.1),),
    "medium": (*_MEDIUM, *[_LONG] * 27),
    "large": (
        Length((200, MAX_OPERATIONS), 0.05, 3, 0.2, 0.3),
        Length((260, MAX_OPERATIONS), 0.05, 4, 0.8, 0.1),
        Length((320, MAX_OPERATIONS), 0.05, 4, 0.9),
    ),
}
"""The lengths of the kernels of each complexity, each as often as it is likely."""

CORE_LENGTHS: Mapping[str, tuple[Length, ...]] = {**LENGTHS, "medium": (*_MEDIUM, *[_LONG] * 4)}
"""The lengths of the kernels of the core, whose ideas are longer."""

MIN_CANDIDATES = 20
"""The least number of ideas of a category that a kernel's idea is chosen from, if the category has as many."""

OPERATIONS_PER_PARAMETER = 2
"""The operations that each parameter adds to the estimated size of an idea, by which the shortest ones are found."""

INTEGER_WEIGHT = 0.2
"""The weight of ideas without floats in the core, as a share of that of others: their kernels have no gradient."""

UNROLL_CHANCE = 0.3
"""The probability that a loop over two to four components is written out."""

MAX_UNROLLED_STATEMENTS = 6
"""The largest number of statements of such a loop."""

MAX_INLINED_STATEMENTS = 110
"""The number of statements of a kernel beyond which no further function is inlined."""

MAX_INLINED_CALLS = 1
"""The largest number of calls of a function in a kernel with which it may be inlined."""

MAX_PLACED_LENGTH = 24
"""The longest value of a function that is written within a statement; longer ones become locals."""

# -------------------------------------------------------------------------------------------------------------- threads

BATCH_CHANCE = 0.25
"""The probability that a kernel that can run for several worlds does."""

FLAT_CHANCE = 0.15
"""The probability that a kernel of two thread indices computes them from one."""

GUARD_CHANCE = 0.4
"""The probability that threads beyond the end do nothing, so that the launch may be wider than the data."""

AROUND_CHANCE = 0.35
"""The probability that such a kernel has its body in an ``if``."""

LAUNCH_STEPS = (1, 8, 16, 32)
"""The numbers to whose multiples a guarded launch of one dimension is rounded up."""

LAUNCH_STEPS_ND = (1, 4, 8)
"""The numbers to whose multiples the last dimension of a guarded launch of several dimensions is rounded up."""

# --------------------------------------------------------------------------------------------------------------- locals

INLINE_CHANCE = 0.3
"""The probability that a value with a single use is written in place."""

LOADED_CHANCE = 0.45
"""The probability that a kernel assigns the elements of its inputs to locals before it uses them: all of them, or none."""

HOIST_CHANCE = 0.5
"""The probability that the values of an idea are loaded as early as possible and not before their first use."""

REORDER_CHANCE = 0.6
"""The probability that loads and initial values that follow each other are in a random order."""

SWAP_CHANCE = 0.5
"""The probability that products of one kind of a kernel, such as a number and a vector, have their factors exchanged."""

# ----------------------------------------------------------------------------------------------------------- parameters

CONSTANT_CHANCES = (0.0, 0.0, 0.35, 1.0)
"""The probability that a number that may be a module constant is one, and not an argument: in many kernels, all or none are."""

LITERAL_CHANCE = 0.12
"""The probability that a kernel writes such constants as literals: those that have a typical value and are used once."""

CODE_LITERAL_CHANCE = 0.12
"""The probability that a kernel writes codes as literals."""

MAX_LITERALS = 4
"""The most numbers and codes of a kernel that writes some as literals: beside many constants, a literal looks forgotten."""

WRAPPED_CHANCE = 0.75
"""The probability that the module constants of a kernel are written with ``wp.constant``."""

SHAPE_CHANCE = 0.4
"""The probability that a kernel reads lengths from the shapes of arrays, and has no arguments for them."""

STRUCT_CHANCE = 0.22
"""The probability that a kernel that uses enough members of a struct passes the struct."""

MIN_STRUCT_MEMBERS = 3
"""The least number of members of a struct, outside of the categories that pass structs wherever possible."""

NUMBER_STEPS = 1000
"""The number of equal steps between the bounds of a float at which module constants are drawn."""

NUMBER_DIGITS = 2
"""The significant digits to which these numbers are rounded."""

# ---------------------------------------------------------------------------------------------------------------- style

NAME_STYLES = (0, 0, 1, 1, 2, 3)
"""The preferred positions in lists of candidates, each as often as it is likely: the first names are the most natural ones."""

NAME_STYLE_CHANCE = 0.99
"""The probability that a name has the position in its list that the style of the kernel prefers."""

DROPPED_LETTER_CHANCE = 0.8
"""The probability that the locals of a kernel end in no letter that distinguishes them from no other."""

ELEMENT_MARKS = (*("",) * 10, *("_{index}",) * 4, *("{item}_",) * 3)
"""How the names of a kernel say that a local is the thread's or the loop's element of an array: ``vel_i``, ``particle_vel``.
A mark that starts with an underscore follows the name."""

MARK_CHANCE = 0.8
"""The probability that such a local has the mark of its kernel."""

MARKED_LENGTH = 16
"""The largest length of a name with its mark."""

MAX_INDEX_LENGTH = 2
"""The largest length of the name of an index that a mark contains."""

KERNEL_SUFFIX_CHANCE = 0.2
"""The probability that the name of a kernel ends with ``_kernel``."""

DETAIL_CHANCE = 0.5
"""The probability that a docstring continues with the detail of its idea, if there is one."""

BREAK_CHANCE = 0.2
"""The probability that a blank line follows the thread indices."""

COMMENT_SHARES = (1.0, 1.0, 1.0, 1.0, 0.6, 0.6, 0.0)
"""The shares of comments that a kernel keeps, each as often as it is likely."""

BLANK_CHANCE = 0.75
"""The probability that a kernel keeps its blank lines."""

BLANK_PLACES = (*("",) * 5, *("comments",) * 4, *("blocks",) * 4, *("comments blocks",) * 5)
"""Where further blank lines are, each as often as it is likely: before comments, around loops and branches."""

# ----------------------------------------------------------------------------------------------------------- decorators

INTEGER_FORWARD_ONLY_CHANCE = 0.7
"""The probability that a kernel without floats is declared without an adjoint, outside of the core."""

FLOAT_FORWARD_ONLY_CHANCE = 0.1
"""The same probability for a kernel with floats whose ideas do not require it."""

DECORATORS = (
    *("@wp.kernel",) * 8,
    '@wp.kernel(module="unique")',
)
"""The decorators of kernels with an adjoint, each as often as it is likely."""

FORWARD_DECORATORS = (
    *("@wp.kernel(enable_backward=False)",) * 5,
    '@wp.kernel(module="unique", enable_backward=False)',
    '@wp.kernel(enable_backward=False, module="unique")',
)
"""The decorators of kernels without an adjoint, each as often as it is likely."""

LAUNCH_DECORATORS = ("@wp.kernel(grid_stride=False)", "@wp.kernel(launch_bounds=128)", "@wp.kernel(launch_bounds=256)")
"""Further decorators of kernels outside of the core, which change how a kernel is launched."""

# ------------------------------------------------------------------------------------------------- calls of any builtin

RARE_BUILTIN_CHANCE = 0.5
"""The probability that such a kernel calls one of the builtins that are rare elsewhere."""

RARE_BUILTIN_TEXTS = 4
"""A builtin is rare if fewer texts of ideas, functions and extras name it."""

BUILTIN_SAMPLES = (24, 96)
"""The least and the largest length of its arrays."""

BUILTIN_FLOATS = (0.2, 0.9)
"""The range of its floats, in which almost all builtins have a value and a gradient."""

BUILTIN_INTEGERS = (1, 5)
"""The range of its integers."""

LOCALS_PER_CALL = 2
"""The number of locals that the components of the arguments of a call are made of, before literals follow."""

FURTHER_LOCAL_CHANCE = 0.2
"""The probability that a component is made of a further local, and not a literal."""

COMPONENT_LITERALS = ("0.5", "0.25", "0.7")
"""The literals that components are made of."""

INTEGER_FACTORS = ("0.15", "0.12")
"""The factors that make a float of an integer, where no gradient may flow into an argument."""

# -------------------------------------------------------------------------------------------------------- stress profile

FRACTION_CHANCE = 0.4
"""The probability that a stored float is changed by `wp.frac`."""

FRACTION_FACTORS = (0.5, 1.5, 3.0)
"""The factors of the argument of `wp.frac`."""

REPEATED_EXTREMES = (0, 1, 1)
"""How often an atomic minimum or maximum is repeated."""

CARRIED_BREAK_CHANCE = 0.4
"""The probability that a loop with a scaled sum ends early."""

CARRIED_LIMITS = (0.5, 1.0, 2.0)
"""The limits at which such a loop ends."""

# -------------------------------------------------------------------------------------------------------------- dry run

TRIALS = 4
"""The number of launches in which a branch must go both ways: the pair's own and others, half of them with planted numbers."""

PLANTED_SHARE = 0.5
"""The share of the elements of an input that numbers of the source replace, which a kernel may compare with."""

LAUNCH_THREADS = 96
"""How many threads run at most in the pair's own launch, evenly spread over the launch."""

TRIAL_THREADS = 24
"""How many threads run at most in each of the other launches."""

MAX_ITERATIONS = 100_000
"""The most iterations of all ``while`` loops in all trials together."""

TOLERANCE = 1.0e-6
"""The relative and absolute difference up to which two results are equal: float32 may not distinguish them."""
