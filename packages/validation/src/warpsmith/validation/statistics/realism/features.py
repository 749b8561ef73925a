"""The table of code features: a name and a predicate each, in groups."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from warpsmith.validation.statistics.realism import comment_layout, control, data, indexing, interface, tells
from warpsmith.validation.statistics.realism.facts import Facts

Predicate: TypeAlias = Callable[[Facts], bool]

FEATURES: dict[str, dict[str, Predicate]] = {
    "indices": {
        "index loaded from an array": indexing.loaded,
        "computed local index": indexing.computed_local,
        "arithmetic inside a subscript": indexing.arithmetic,
        "constant index of an array": indexing.constant,
        "thread index of 2 dimensions or more": indexing.several_thread_indices,
        "index of a world, environment or batch": indexing.replica,
    },
    "control flow": {
        "branch of 3 statements or more": control.long_branch,
        "nesting of 2 or more": control.nested_twice,
        "nesting of 3 or more": control.nested_three_times,
        "2 returns or more": control.several_returns,
        "break or continue": control.leaves_loop,
        "while loop": control.while_loop,
        "range(a, b)": control.range_with_start,
        "== or !=": control.equality,
        "-1 or 0 as a sentinel": control.sentinel,
        "same test in two branches": control.same_test_twice,
    },
    "data": {
        "3 array stores or more": data.many_stores,
        "atomic operation": data.atomic,
        "array both read and written": data.read_and_written,
        "copy or fill only": data.copies_only,
        "no floats at all": data.no_floats,
        "bool": data.boolean,
    },
    "interface": {
        "8 arguments or more": interface.eight_arguments,
        "15 arguments or more": interface.fifteen_arguments,
        "constant of a module or enumeration": interface.named_constant,
        "member of a struct argument": interface.member,
        "user function called": interface.calls_function,
        "3 user functions or more called": interface.calls_three_functions,
        "enable_backward=False": interface.without_backward,
        "other decorator options": interface.other_options,
    },
    "layout": {
        "comment": comment_layout.comment,
        "blank line": comment_layout.blank_line,
        "docstring": comment_layout.docstring,
    },
    "tells of a generator": {
        "result with a tail ± 0.07 * x": tells.small_tail,
        "local named weighted_, scaled_, offset_ …": tells.adjective_name,
        "wp.tanh(0.03 * x)": tells.damped_tanh,
        "nested scalings 0.25 * (0.5 * x)": tells.nested_scaling,
        "docstring that repeats the name": tells.echoing_docstring,
        "elif that repeats a test": tells.repeated_test,
    },
}
"""The predicates by group and name; the docstring of a predicate says exactly what it finds."""


def feature_names(facts: Facts) -> list[str]:
    """Return the names of the features that a kernel has."""
    return [name for group in FEATURES.values() for name, holds in group.items() if holds(facts)]
