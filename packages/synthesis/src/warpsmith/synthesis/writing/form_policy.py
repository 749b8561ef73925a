"""The chances of the forms of a file: its layout, its comments and its names. `policy` contains all other chances."""

from __future__ import annotations

from typing import Literal

# --------------------------------------------------------------------------------------------------------------- layout

LINE_LENGTHS = (*(79,) * 8, *(88,) * 8, *(100,) * 3, 120, 0)
"""The longest lines, 0 for no limit, each as often as it is likely."""

WRAPPINGS: tuple[tuple[Literal["exploded", "aligned", "hanging"], bool], ...] = (
    *(("exploded", True),) * 10,
    *(("aligned", True),) * 2,
    ("aligned", False),
    ("hanging", True),
    ("hanging", False),
)
"""How lines are wrapped, and whether lines begin with operators, each as often as it is likely; see `language.layout`."""

SIGNATURES: tuple[Literal["short", "all", "packed"], ...] = (*("short",) * 3, *("all",) * 3, "packed")
"""How signatures are wrapped, each as often as it is likely."""

CONSTRUCTOR_CHANCE = 0.04
"""The probability that vectors, matrices and long calls have one argument a line even if they fit into one line."""

INDENTS = (*(4,) * 11, 2)
"""The numbers of spaces of a block, each as often as it is likely."""

# ------------------------------------------------------------------------------------------- comments and docstrings

COMMENT_STYLES: tuple[Literal["none", "groups", "remarks"], ...] = (*("none",) * 11, *("groups",) * 6, *("remarks",) * 4)
"""The comments in signatures, each as often as it is likely; see `forms.file_style`."""

GROUP_LABELS = (
    *(("inputs", "inputs", "outputs"),) * 2,
    *(("In:", "In:", "Out:"),) * 2,
    ("inputs", "parameters", "outputs"),
    ("Inputs", "Parameters", "Outputs"),
    ("input", "input", "output"),
    ("input arrays", "parameters", "output arrays"),
    ("Data In:", "In:", "Data Out:"),
    ("data", "params", "results"),
)
"""The labels of inputs, numbers and outputs in signatures."""

MIN_GROUPED_PARAMETERS = 4
"""The least number of parameters with such labels."""

REMARKS = ("{about}", "{about}", "{shape} {about}", "{about}, {shape}", "{about}: {shape}", "{shape}")
"""The patterns of remarks about parameters."""

ANNOTATION_LENGTH = 38
"""The length of most annotations, with which it is decided whether a remark has room beside its parameter, or is above it."""

CONSTANT_COMMENT_CHANCE = 0.2
"""The probability that the constants of a file have comments."""

SHAPES = ("({})", "({})", "[{}]")
"""The patterns of shapes."""

DOC_STYLES: tuple[Literal["none", "line", "google", "typed", "numpy", "sphinx", "roles", "list", "threads"], ...] = (
    *("none",) * 17,
    *("line",) * 10,
    *("google",) * 5,
    *("numpy",) * 2,
    *("roles",) * 2,
    "typed",
    "sphinx",
    "list",
    "threads",
)
"""The docstrings of kernels, each as often as it is likely; see `forms.file_style`."""

PHRASES: tuple[Literal["full", "short", "noun"], ...] = (*("full",) * 4, *("short",) * 4, *("noun",) * 2)
"""How parameters are described, each as often as it is likely; see `forms.wording`."""

UNITS: tuple[Literal["words", "brackets", "parentheses"], ...] = ("words", "words", "brackets", "parentheses")
"""How units are written, each as often as it is likely."""

CAPITAL_CHANCE = 0.65
"""The probability that the comments of a file begin with a capital, as 70% do in real projects."""

THREAD_SENTENCE_CHANCE = 0.4
"""The probability that a docstring of several lines has a sentence about threads."""

THREAD_SENTENCES = (
    "One thread per {}.",
    "One thread for each {}.",
    "Each thread handles one {}.",
    "Each thread processes one {}.",
    "Launched with one thread per {}.",
)
"""These sentences, with what a thread works on."""

HEADING_CHANCE = 0.06
"""The probability that a file has a docstring."""

PRIVATE_NAMES: tuple[Literal["none", "functions", "all"], ...] = (*("none",) * 9, *("functions",) * 5, *("all",) * 6)
"""Which names start with an underscore, each as often as it is likely."""

# ------------------------------------------------------------------------------------------------- casts and constants

ENUM_CHANCE = 0.6
"""The probability that the codes of a file that belong together are members of an enumeration."""

ENUM_COMMENT_CHANCE = 0.25
"""The probability that each member of the enumerations of a file has a comment."""

INITIAL_CAST_CHANCE = 0.5
"""The probability that locals that change are initialized with casts."""

WARP_CAST_CHANCES = (0.1, 0.7)
"""The probability that casts are written with the names of Warp's types, without and with these names in signatures."""

STATIC_CHANCE = 0.45
"""The probability that constants in ranges and expressions of constants are in ``wp.static``."""

# --------------------------------------------------------------------------------------------- precision and generics

PRECISIONS: tuple[Literal["single", "double", "half"], ...] = (*("single",) * 25, *("double",) * 7, *("half",) * 3)
"""The precisions of files, each as often as it is likely; kernels that have no twin remain in float32."""

GENERICS: tuple[Literal["none", "functions", "kernel"], ...] = (*("none",) * 16, *("functions",) * 3, "kernel")
"""What is generic, each as often as it is likely; see `forms.generics`."""

TYPED_LITERAL_CHANCE = 0.6
"""The probability that literals in generic functions have the type of an argument."""

GENERIC_RESULT_CHANCE = 0.4
"""The probability that the results of generic functions are annotated."""
