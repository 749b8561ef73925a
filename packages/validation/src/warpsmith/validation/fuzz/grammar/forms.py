"""Forms: a family of kernels and one value on each of its axes; which values exist, and which mean the same."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from warpsmith.validation.fuzz.grammar.builtin_forms import BUILTINS, SINGLE
from warpsmith.validation.fuzz.grammar.statement_forms import STATEMENTS

Features: TypeAlias = tuple[str, ...]
"""What distinguishes a form from the plain one of its family: ``axis=value`` for each axis with another value, sorted."""

SHARED = {
    "dtype": "float double half",
    "options": "default overwrites debug fast_math no_unroll deterministic no_backward",
}
"""Axes that every family has."""

FAMILIES: dict[str, dict[str, str | tuple[str, ...]]] = {
    # family: its axes, each with its values; the first value is the plain one
    "assign": {
        "target": (
            "local vec_index vec_name vec_negative_index mat_element mat_row quat_index quat_name transform_index transform_p "
            "transform_q transform_part member member_index member_name nested_member nested_member_index element element_2d "
            "row_element slice_element element_component element_name element_member element_member_index argument "
            "argument_component argument_member local_element"
        ),
        "operator": (
            "assign add sub mul div assign_add assign_sub assign_mul assign_div assign_self assign_self_mul max min add_twice"
        ),
        "context": (
            "straight branch else_branch both_branches nested_branch static dynamic dynamic_range3 while_first while_last "
            "static_in_dynamic dynamic_in_dynamic helper helper_parameter helper_loop helper_return"
        ),
        "exit": "none break continue continue_after return_in_loop early_return",
        "use": "store square times branch helper loop index product_before",
        "source": "x counter product constant other where ternary",
        "builtin": ("none", *BUILTINS),
        "call": "none inline func generic closure static custom_grad replay two_results default_argument",
        "index": "positive negative",
        "shape": "none before after",
        "initial": "input constant sum",
    },
    "atomic": {
        "target": (
            "atomic_add atomic_sub atomic_max atomic_min atomic_add_result atomic_sub_result atomic_max_result "
            "atomic_exch_result atomic_cas_result add_operator sub_operator"
        ),
        "threads": "one same different",
        "place": "element component_index component_name row_element member",
        "context": "straight branch static dynamic helper",
        "use": "store square",
        "builtin": ("none", *BUILTINS),
    },
    "tile": {
        "tile": (
            "sum dot_sum scan scan_exclusive scan_max max min reduce sort full from_thread transpose transpose_first transpose_again branch branch_view where tile "
            "untile in_place reload map map2 view reshape broadcast extract element matmul matmul_transpose scaled axpy assign "
            "load_indexed sum_axis cholesky lower_solve upper_solve diag_add negate"
        ),
        "storage": "register shared",
        "context": "straight static dynamic helper",
        "use": "store square",
    },
    "expression": {
        "order": "none element_then_call element_then_atomic call_arguments add_assign_call",
        "constant": "none module conversion after_branch counter double_literal",
        "literal": "none large negative_large unsigned hexadecimal",
        "compare": (
            "none vec_equal vec_not_equal mat_equal mat_not_equal quat_equal quat_not_equal transform_equal "
            "transform_not_equal bool_equal chained"
        ),
        "member": "none ret adj_ret data args self grad shape dim result",
        "argument": "none indexed struct array_in_struct nested_struct generic_array",
        "integer": "none floordiv mod shift negate_unsigned int8 uint8 int16 int64 uint64 invert",
        "statement": ("none", *STATEMENTS),
        "builtin": ("none", *BUILTINS),
        "index": "positive negative computed",
        "shape": "none before after",
    },
}  # fmt: skip

AXES: dict[str, dict[str, tuple[str, ...]]] = {
    family: {
        axis: tuple(values.split()) if isinstance(values, str) else tuple(values) for axis, values in {**axes, **SHARED}.items()
    }
    for family, axes in FAMILIES.items()
}
"""For each family and axis the values, the plain one first."""

SAME: dict[str, dict[str, tuple[tuple[str, ...], ...]]] = {
    # family: axis: groups of values that mean the same
    "assign": {
        "target": (
            ("vec_index", "vec_name", "vec_negative_index", "member_index", "member_name", "nested_member_index"),
            ("quat_index", "quat_name"),
            ("transform_index", "transform_part"),
            ("local", "member", "nested_member", "local_element"),
            ("element_2d", "row_element"),
            ("element_component", "element_name"),
        ),
        "operator": (("add", "assign_add"), ("sub", "assign_sub"), ("mul", "assign_mul"), ("div", "assign_div")),
        "context": (
            ("static", "dynamic", "dynamic_range3", "while_first", "while_last", "helper_loop"),
            ("straight", "branch", "nested_branch", "helper", "helper_return"),
        ),
        "source": (("x", "where", "ternary"),),
        "call": (
            ("inline", "func", "generic", "closure", "static", "custom_grad", "replay", "two_results", "default_argument"),
        ),
        "index": (("positive", "negative"),),
        "builtin": (("pnoise", "pnoise_period_before"),),
    },
    "atomic": {
        "target": (("atomic_add", "add_operator"), ("atomic_sub", "sub_operator")),
        "place": (("component_index", "component_name"),),
        "context": (("straight", "branch", "helper"), ("static", "dynamic")),
    },
    "tile": {"storage": (("register", "shared"),), "context": (("straight", "helper"), ("static", "dynamic"))},
    "expression": {
        "index": (("positive", "negative", "computed"),),
        "builtin": (("pnoise", "pnoise_period_before"),),
    },
}
"""The metamorphic pairs: a form keeps its values and gradients when a value changes to another one of its group."""

OPTIONS = ("default", "overwrites", "debug", "no_unroll", "deterministic", "no_backward")
"""The options of a module that change no value and no gradient; the last one leaves the gradient out."""

LOOPS = ("static", "dynamic", "dynamic_range3", "while_first", "while_last", "static_in_dynamic", "dynamic_in_dynamic")
"""The contexts whose loop may have an exit."""

TOGETHER: dict[tuple[str, str], tuple[dict[str, str], ...]] = {
    ("expression", "statement"): ({"dtype": "double"}, {"dtype": "half"}, {"options": "overwrites"}),
    ("expression", "constant"): ({"dtype": "double"}, {"dtype": "double", "options": "no_backward"}),
    ("assign", "target"): ({"operator": "add"}, {"operator": "mul"}),
    ("assign", "context"): ({"operator": "add"}, {"operator": "mul"}, {"operator": "add", "source": "counter"}),
}
"""The axes whose values are drawn with these values of other axes from the start: precisions and the copies of vectors, and
operators, which Warp compiles in another way for each l-value and differentiates in another way in each loop."""

COMPOSITE = ("element_component", "element_name", "element_member", "element_member_index")
"""The targets of the family ``assign`` for which Warp rejects ``*=`` and ``/=`` with a message that says so."""

ALONE = ("order", "constant", "literal", "compare", "member", "argument", "integer", "statement")
"""The axes of ``expression`` of which a form has at most one with another value than the plain one."""


@dataclass(frozen=True, slots=True)
class Form:
    """A family of kernels, and one value on each of its axes.

    Attributes:
        family: the family, a key of `AXES`.
        values: the values by axis, for all axes of the family in their order.
    """

    family: str
    values: tuple[tuple[str, str], ...]

    def __getitem__(self, axis: str) -> str:
        """Return the value on an axis."""
        return dict(self.values)[axis]

    @property
    def changed(self) -> dict[str, str]:
        """The values that are not the plain ones, by axis."""
        return {axis: value for axis, value in self.values if value != AXES[self.family][axis][0]}

    @property
    def features(self) -> Features:
        """What distinguishes the form from the plain one."""
        first = next(iter(AXES[self.family]))
        return tuple(sorted(f"{axis}={value}" for axis, value in {first: self[first], **self.changed}.items()))

    @property
    def text(self) -> str:
        """The form as one line, from which `form_of` makes it again."""
        return " ".join([self.family, *self.features])

    def replaced(self, axis: str, value: str) -> Form:
        """Return the form with another value on an axis."""
        return Form(self.family, tuple((name, value if name == axis else old) for name, old in self.values))


def form_of(family: str, values: Mapping[str, str]) -> Form:
    """Return a form; axes without a value have the plain one.

    Raises:
        KeyError: if there is no such family, axis or value.
    """
    axes = AXES[family]
    for axis, value in values.items():
        if value not in axes[axis]:
            raise KeyError(f"{family} has no {axis}={value}")
    return Form(family, tuple((axis, values.get(axis, known[0])) for axis, known in axes.items()))


def parse_form(text: str) -> Form:
    """Return the form that a line describes, see `Form.text`."""
    family, *features = text.split()
    return form_of(family, dict(feature.partition("=")[::2] for feature in features))


def makes_sense(form: Form) -> bool:
    """Return whether the values of a form fit together, so that its kernel contains what each of them says."""
    if form["dtype"] != "float" and form.changed.get("builtin") in SINGLE:
        return False
    if form.family == "expression":
        return sum(form[axis] != "none" for axis in ALONE) <= 1
    if form.family == "tile":
        return form["dtype"] != "half"
    if form.family == "atomic":
        return form["dtype"] != "half" and (form["place"] != "member" or form["target"] in {"add_operator", "sub_operator"})
    if form["exit"] not in {"none", "early_return"} and form["context"] not in LOOPS:
        return False
    if form["context"].startswith("helper") and form["target"].startswith(("argument", "local_element")):
        return False
    if form["context"] == "while_last" and form["exit"].startswith("continue"):
        return False  # the counter would not change
    return form["operator"] not in {"max", "min", "div", "assign_div"} or is_number(form["target"])


def is_number(target: str) -> bool:
    """Return whether a target of the family ``assign`` is a number, not a row, a position or a rotation."""
    return target not in {"mat_row", "transform_p", "transform_q"}


def keeps_operator(form: Form) -> bool:
    """Return whether a plain assignment may have another fault than the operator of a form: to an l-value, and in a loop."""
    return form.family == "assign" and ("target" in form.changed or form["context"] in {*LOOPS, "helper_loop"})


COMBINED_FEATURES = 3
"""The most features of a form that a reduction tries first, in all combinations."""


def simpler(form: Form) -> list[Form]:
    """Return forms with fewer features: all with up to `COMBINED_FEATURES` of them, and those without one; the simplest first.

    The operator is kept where `keeps_operator` says so.
    """
    first = next(iter(AXES[form.family]))
    changed = form.changed
    sizes = sorted({*range(min(COMBINED_FEATURES + 1, len(changed))), max(len(changed) - 1, 0)})
    chosen = [axes for size in sizes for axes in itertools.combinations(changed, size) if size < len(changed)]
    found = [
        form_of(form.family, {axis: changed[axis] for axis in axes})
        for axes in sorted(chosen, key=lambda a: (len(a), first in a))
    ]
    if "operator" in changed:
        found = [candidate for candidate in found if not keeps_operator(candidate) or "operator" in candidate.changed]
    return [candidate for candidate in dict.fromkeys(found) if makes_sense(candidate)]


def partners(form: Form) -> Iterator[tuple[str, Form]]:
    """Yield the forms that mean the same, each with the axis on which it differs."""
    if form["options"] in OPTIONS[1:]:
        yield "options", form.replaced("options", "default")
    if form["dtype"] == "double":
        yield "dtype", form.replaced("dtype", "float")  # Warp accepts both or none
    for axis, groups in SAME[form.family].items():
        for group in groups:
            if form.family == "atomic" and axis == "target" and form["place"].startswith("component"):
                continue  # the function adds a vector, the operator a component
            if form.family == "assign" and form["target"] in COMPOSITE and group[0] in {"mul", "div"}:
                continue
            if form[axis] in group:
                for value in group:
                    if value != form[axis] and makes_sense(found := form.replaced(axis, value)):
                        yield axis, found
