"""Kernels of the family ``assign``: an l-value is changed in a context, and used later."""

from __future__ import annotations

from warpsmith.validation.fuzz.grammar.assign_tables import CALLS, OPERATORS, TARGETS
from warpsmith.validation.fuzz.grammar.builtin_forms import builtin_call
from warpsmith.validation.fuzz.grammar.form_file import KernelFile, block
from warpsmith.validation.fuzz.grammar.forms import LOOPS, Form, is_number
from warpsmith.validation.fuzz.grammar.precision_names import PRECISIONS, names


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
            "counter": f"x[{counter}]",
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


def assign_file(form: Form) -> KernelFile:
    """Return the file of a form of the family ``assign``."""
    return AssignText(form).made()
