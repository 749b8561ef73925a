"""Kernels of the family ``assign``: an l-value is changed in a context, and used later."""

from __future__ import annotations

from dataclasses import dataclass

from warpsmith.validation.fuzz.builtin_forms import builtin_call
from warpsmith.validation.fuzz.forms import LOOPS, Form, is_number
from warpsmith.validation.fuzz.kernel_file import KernelFile, block
from warpsmith.validation.fuzz.precision_names import PRECISIONS, Precision


@dataclass(frozen=True, slots=True)
class Target:
    """How a kernel declares, changes and reads an l-value.

    Attributes:
        root: the name of the variable or array.
        setup: the statements that declare it; {0}, {1} and {2} are initial numbers.
        place: the l-value.
        read: the number that later statements use.
        root_type: the type of the variable in the signature of a helper.
    """

    root: str
    setup: tuple[str, ...]
    place: str
    read: str
    root_type: str


VECTOR = ("p = {V}({0}, {1}, {2})",)
READ_VECTOR = "(p[0] + {T}(2.0) * p[1] + {T}(3.0) * p[2])"
MATRIX = ("p = {M}({0}, {1}, {2}, {1}, {2}, {0}, {2}, {0}, {1})",)
READ_MATRIX = "(p[1, 0] + {T}(2.0) * p[1, 1] + {T}(3.0) * p[0, 1] + p[2, 2])"
QUATERNION = ("p = {Q}({0}, {1}, {2}, {0})",)
TRANSFORM = ("p = {X}({V}({0}, {1}, {2}), {Q}({2}, {1}, {0}, {1}))",)
READ_TRANSFORM = "(p[0] + {T}(2.0) * p[1] + {T}(3.0) * p[2] + p[3] + p[4])"
STRUCT = ("s = Outer()", "s.a = {0} * {T}(1.0)", "s.v = {V}({0}, {1}, {2})")
INNER = ("s = Outer()", "s.inner.a = {0} * {T}(1.0)", "s.inner.v = {V}({0}, {1}, {2})")
READ_MEMBER = "(s.v[0] + {T}(2.0) * s.v[1] + {T}(3.0) * s.v[2])"
READ_INNER = "(s.inner.v[0] + {T}(2.0) * s.inner.v[1] + {T}(3.0) * s.inner.v[2])"

TARGETS = {
    # target: root, setup, place, read, type of the root
    "local": Target("t", ("t = {0} * {T}(1.0)",), "t", "t", "{T}"),
    "vec_index": Target("p", VECTOR, "p[1]", READ_VECTOR, "{V}"),
    "vec_name": Target("p", VECTOR, "p.y", READ_VECTOR, "{V}"),
    "vec_negative_index": Target("p", VECTOR, "p[-2]", READ_VECTOR, "{V}"),
    "mat_element": Target("p", MATRIX, "p[1, 0]", READ_MATRIX, "{M}"),
    "mat_row": Target("p", MATRIX, "p[1]", READ_MATRIX, "{M}"),
    "quat_index": Target("p", QUATERNION, "p[1]", READ_VECTOR, "{Q}"),
    "quat_name": Target("p", QUATERNION, "p.y", READ_VECTOR, "{Q}"),
    "transform_index": Target("p", TRANSFORM, "p[1]", READ_TRANSFORM, "{X}"),
    "transform_p": Target("p", TRANSFORM, "p.p", READ_TRANSFORM, "{X}"),
    "transform_q": Target("p", TRANSFORM, "p.q", READ_TRANSFORM, "{X}"),
    "transform_part": Target("p", TRANSFORM, "p.p[1]", READ_TRANSFORM, "{X}"),
    "member": Target("s", STRUCT, "s.a", "s.a", "Outer"),
    "member_index": Target("s", STRUCT, "s.v[1]", READ_MEMBER, "Outer"),
    "member_name": Target("s", STRUCT, "s.v.y", READ_MEMBER, "Outer"),
    "nested_member": Target("s", INNER, "s.inner.a", "s.inner.a", "Outer"),
    "nested_member_index": Target("s", INNER, "s.inner.v[1]", READ_INNER, "Outer"),
    "element": Target("w", (), "w[i]", "w[i]", "wp.array(dtype={T})"),
    "element_2d": Target("ww", (), "ww[i, 1]", "ww[i, 1]", "wp.array2d(dtype={T})"),
    "row_element": Target("row", ("row = ww[i]",), "row[1]", "row[1]", "wp.array(dtype={T})"),
    "slice_element": Target("part", ("part = w[2:6]",), "part[i]", "part[i]", "wp.array(dtype={T})"),
    "element_component": Target("vw", (), "vw[i][1]", "(vw[i][1] + vw[i][0])", "wp.array(dtype={V})"),
    "element_name": Target("vw", (), "vw[i].y", "(vw[i].y + vw[i].x)", "wp.array(dtype={V})"),
    "element_member": Target("sw", (), "sw[i].a", "sw[i].a", "wp.array(dtype=Inner)"),
    "element_member_index": Target("sw", (), "sw[i].v[1]", "(sw[i].v[1] + sw[i].v[0])", "wp.array(dtype=Inner)"),
    "argument": Target("s_arg", (), "s_arg", "s_arg", "{T}"),
    "argument_component": Target("v_arg", (), "v_arg[1]", "(v_arg[1] + v_arg[0])", "{V}"),
    "argument_member": Target("o_arg", (), "o_arg.a", "o_arg.a", "Outer"),
    "local_element": Target(
        "own", ("own = wp.zeros(shape=(3,), dtype={T})", "own[1] = {0}"), "own[1]", "own[1]", "wp.array(dtype={T})"
    ),
}
"""The l-values of the family."""

OPERATORS = {
    "assign": "{p} = {e}",
    "add": "{p} += {e}",
    "sub": "{p} -= {e}",
    "mul": "{p} *= {e}",
    "div": "{p} /= {e}",
    "assign_add": "{p} = {p} + {e}",
    "assign_sub": "{p} = {p} - {e}",
    "assign_mul": "{p} = {p} * {e}",
    "assign_div": "{p} = {p} / {e}",
    "assign_self": "{p} = {p}",
    "assign_self_mul": "{p} = {p} * {p}",
    "max": "{p} = wp.max({p}, {e})",
    "min": "{p} = wp.min({p}, {e})",
    "add_twice": "{p} += {e}\n{p} += {e} * {e}",
}
"""The statements that change an l-value {p} by an expression {e}."""

CALLS = {
    # call: the definition of a helper, and the expression of a number {e} that is inline {e} * {e} + {e}
    "inline": ("", "({e} * {e} + {e})"),
    "func": ("@wp.func\ndef square(a: {T}) -> {T}:\n    return a * a + a\n", "square({e})"),
    "generic": ("@wp.func\ndef square(a: Any):\n    return a * a + a\n", "square({e})"),
    "closure": (
        "def make_square(power):\n    @wp.func\n    def square(a: {T}):\n        r = a\n        for _ in range(power):\n"
        "            r = r * a\n        return r + a\n\n    return square\n\n\nsquare = make_square(1)\n",
        "square({e})",
    ),
    "static": ("@wp.func\ndef square(a: {T}) -> {T}:\n    return a * a + a\n", "wp.static(square)({e})"),
    "custom_grad": (
        "@wp.func\ndef square(a: {T}):\n    return a * a + a\n\n\n@wp.func_grad(square)\ndef adj_square(a: {T}, adj_ret: {T}):\n"
        "    wp.adjoint[a] += ({T}(2.0) * a + {T}(1.0)) * adj_ret\n",
        "square({e})",
    ),
    "replay": (
        "@wp.func\ndef square(a: {T}):\n    return a * a + a\n\n\n@wp.func_replay(square)\ndef replay_square(a: {T}):\n"
        "    return a * (a + {T}(1.0))\n",
        "square({e})",
    ),
    "two_results": (
        "@wp.func\ndef both(a: {T}):\n    return a * a, a\n\n\n@wp.func\ndef square(a: {T}):\n    r, q = both(a)\n    return r + q\n",
        "square({e})",
    ),
    "default_argument": ("@wp.func\ndef square(a: {T}, f: {T} = {T}(1.0)):\n    return a * a + f * a\n", "square({e})"),
}


class AssignText:
    """The text of one kernel of the family."""

    def __init__(self, form: Form) -> None:
        self.form, self.precision = form, PRECISIONS[form["dtype"]]
        self.file = KernelFile(self.precision)
        self.target = TARGETS[form["target"]]

    def made(self) -> KernelFile:
        """Return the file."""
        form, file = self.form, self.file
        if form["shape"] == "before":
            file.body.append("size = x.shape[0]")
        file.body += [line for text in self.target.setup for line in self.fill(text).split("\n")]
        if form["exit"] == "early_return":
            file.body += block("if c[i] > 7:", ["return"])
        file.body += self.changed()
        file.body += self.used(self.fill(self.target.read))
        return file

    def fill(self, text: str) -> str:
        """Return a text with the names of types and the initial numbers."""
        p = self.precision
        initial = {
            "input": ("y[i]", "y[i + 2]", "y[i + 4]"),
            "constant": (p.number(0.75), p.number(0.5), p.number(1.25)),
            "sum": ("(y[i] + y[i + 1])", "y[i + 2] * y[i]", "y[i + 4]"),
        }[self.form["initial"]]
        return text.format(*initial, **names(p))

    def expression(self, counter: str) -> str:
        """Return the number that an operator uses in a step."""
        form, t = self.form, self.precision.scalar
        index = f"-1 - i - {counter}" if form["index"] == "negative" else f"7 - i - {counter}"
        x = f"x[{index}]"
        text = {
            "x": x,
            "product": f"({x} * y[{counter}])",
            "constant": f"{t}(1.5)",
            "other": f"({x} + v[i][1])",
            "where": f"wp.where(c[0] > 0, {x}, y[0])",
            "ternary": f"({x} if c[0] > 0 else y[0])",
        }[form["source"]]
        if form["builtin"] != "none":
            text = builtin_call(form["builtin"], self.precision, text, f"y[{counter} + 1]")
        if form["call"] != "none":
            definition, call = CALLS[form["call"]]
            if definition and not any(definition.split("(")[0] in helper for helper in self.file.helpers):
                self.file.helpers.append(definition.format(**names(self.precision)))
            text = call.format(e=text)
        return text

    def value(self, counter: str) -> str:
        """Return the right side for the type of the target."""
        e = self.expression(counter)
        if is_number(self.form["target"]):
            return e
        if self.form["operator"].endswith("mul"):
            return e
        if self.form["target"] == "transform_q":
            return f"{self.precision.quat}({e}, y[1], {e}, y[2])"
        return f"{self.precision.vec}({e}, y[1], {e})"

    def statement(self, place: str, counter: str) -> list[str]:
        """Return the statements that change the target."""
        return OPERATORS[self.form["operator"]].format(p=place, e=self.value(counter)).split("\n")

    def changed(self) -> list[str]:
        """Return the change of the target in its context."""
        context, place = self.form["context"], self.target.place
        if context in LOOPS:
            return self.loop(context)
        if context.startswith("helper"):
            return self.helper(context)
        step = self.statement(place, "0")
        other = self.statement(place, "1")
        return {
            "straight": lambda: step,
            "branch": lambda: block("if c[i] < 7:", step),
            "else_branch": lambda: [*block("if c[i] > 7:", ["iout[i] = 1"]), *block("else:", step)],
            "both_branches": lambda: [*block("if c[i] > 0:", step), *block("else:", other)],
            "nested_branch": lambda: block("if c[i] < 7:", block("if n > 0:", step)),
        }[context]()

    def loop(self, context: str) -> list[str]:
        """Return a loop of three steps around the change."""
        body = self.exits(self.statement(self.target.place, "k"))
        loops = {
            "static": lambda: block("for k in range(3):", body),
            "dynamic": lambda: block("for k in range(n):", body),
            "dynamic_range3": lambda: block("for k in range(first, n, 1):", body),
            "while_first": lambda: ["j = int(-1)", *block("while j < n - 1:", ["j += 1", "k = j", *body])],
            "while_last": lambda: ["k = int(0)", *block("while k < n:", [*body, "k += 1"])],
            "static_in_dynamic": lambda: block("for j in range(n):", block("for k in range(2):", body)),
            "dynamic_in_dynamic": lambda: block("for j in range(n):", block("for k in range(n):", body)),
        }
        return loops[context]()

    def exits(self, body: list[str]) -> list[str]:
        """Return the body of a loop with an exit."""
        jump = {
            "continue": block("if c[k] == 0:", ["continue"]),
            "break": block("if k == 2:", ["break"]),
            "return_in_loop": block("if k == 1:", [f"out[i] = {self.fill(self.target.read)}", "return"]),
        }
        kind = self.form["exit"]
        if kind == "continue_after":
            return [*body, *block("if c[k] == 0:", ["continue"]), *self.statement(self.target.place, "1")]
        return [*jump.get(kind, []), *body]

    def helper(self, context: str) -> list[str]:
        """Return a call of a helper that changes the target, which is its first parameter."""
        root, kind = self.target.root, self.target.root_type.format(**names(self.precision))
        is_array = kind.startswith("wp.array")
        step = self.statement(self.target.place, "k" if context == "helper_loop" else "0")
        body = {
            "helper_loop": block("for k in range(n):", step),
            "helper_return": block("if n > 0:", [*step, "return" if is_array else f"return {root}"]),
        }.get(context, step)
        names_used = {"x": "wp.array(dtype={T})", "y": "wp.array(dtype={T})", "v": "wp.array(dtype={V})"}
        names_used |= {"c": "wp.array(dtype=int)", "n": "int", "i": "int"}
        signature = [
            f"{root}: {kind}",
            *(f"{name}: {text.format(**names(self.precision))}" for name, text in names_used.items()),
        ]
        end = [] if is_array else [f"return {root}"]
        self.file.helpers.append("\n".join(["@wp.func", *block(f"def change({', '.join(signature)}):", [*body, *end])]) + "\n")
        call = f"change({root}, x, y, v, c, n, i)"
        if is_array:
            return [call]
        if context == "helper_parameter":
            self.file.body += [f"q = {call}"]
            return [f"other = {self.fill(self.target.read).replace(f'{root}[', 'q[').replace(f'{root}.', 'q.')}"
                    if root != "t" else "other = q"]  # fmt: skip
        return [f"{root} = {call}"]

    def used(self, read: str) -> list[str]:
        """Return the later use of the target."""
        t, form = self.precision.scalar, self.form
        if form["context"] == "helper_parameter" and not self.target.root_type.startswith("wp.array"):
            read = f"(other + {read} * {t}(10.0))"
        if form["shape"] != "none":
            read = f"{read} * {t}({'size' if form['shape'] == 'before' else 'x.shape[0]'})"
        lines = {
            "store": [f"out[i] = {read}"],
            "square": [f"r = {read}", "out[i] = r * r"],
            "times": [f"out[i] = {read} * y[i + 1]"],
            "branch": [
                f"r = {read}",
                *block(f"if r > {t}(0.7):", [f"out[i] = y[i] * {t}(3.0)"]),
                *block("else:", ["out[i] = r"]),
            ],
            "helper": [f"out[i] = twice({read})"],
            "loop": [f"r = {read}", *block("for m in range(n):", ["out[i] += r * y[m]"])],
            "index": [f"r = {read}", f"at = wp.clamp(int(r * {t}(1.3)), 0, 3)", "out[i] = y[at] + r"],
            "product_before": [f"r = {read} * y[i + 2]", "out[i] = r"],
        }[form["use"]]
        if form["use"] == "helper":
            self.file.helpers.append(f"@wp.func\ndef twice(a: {t}):\n    return a * a * {t}(2.0)\n")
        return lines


def names(precision: Precision) -> dict[str, str]:
    """Return the names of types by their letters in the texts of this package."""
    return {
        "T": precision.scalar,
        "V": precision.vec,
        "M": precision.mat,
        "Q": precision.quat,
        "X": precision.transform,
    }


def assign_file(form: Form) -> KernelFile:
    """Return the file of a form of the family ``assign``."""
    return AssignText(form).made()
