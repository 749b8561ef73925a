"""Signatures of host functions: their annotations, the checks of their parameters, and what their docstrings say of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence

from warpsmith.synthesis.programs.host_sections import HostSections, Parameter
from warpsmith.synthesis.programs.host_types import TypeReader
from warpsmith.synthesis.programs.program_style import ProgramStyle

_ROUNDS = 3
"""How often types are passed on between the sections and the functions of a program."""

_MAX_CHECKS = 3
_HEADER = re.compile(r"^def (\w+)\((.*)\):$", re.MULTILINE)


class Signatures:
    """The types of the names of a program, and texts for its functions.

    Args:
        sections: the sections, whose parameters have kinds.
        helpers: the functions of the program that are no kernels.
        style: the style of the program.
    """

    def __init__(self, sections: HostSections, helpers: str, style: ProgramStyle) -> None:
        self._style = style
        self._helpers = {node.name: node for node in ast.parse(helpers).body if isinstance(node, ast.FunctionDef)}
        self._arguments: dict[str, dict[str, str]] = {}
        self._returns: dict[str, str] = {}
        self._types: dict[str, str] = {}
        if style.hints:
            for _ in range(_ROUNDS):
                self._read(sections)

    def _read(self, sections: HostSections) -> None:
        reader = TypeReader({"device": "str | None" if self._style.argparse else "str"}, self._returns)
        begin = "\n".join(f"{item.name} = {item.value}" for item in sections.parameters)
        loop = f"{sections.loop}:\n    pass" if sections.loop else ""
        for text in (begin, sections.setup, loop, sections.step, sections.finish, sections.check):
            reader.read(ast.parse(text).body)
        calls = dict(reader.calls)
        for name, node in self._helpers.items():
            inner = TypeReader(self._arguments.get(name, {}), self._returns)
            inner.read(node.body)
            for called, arguments in inner.calls.items():
                calls[called] = [*calls.get(called, []), *arguments]
            if len(set(inner.returned)) == 1 and inner.returned[0]:
                self._returns[name] = inner.returned[0]
        for name, node in self._helpers.items():
            names = [argument.arg for argument in node.args.args]
            given = [call for call in calls.get(name, []) if len(call) == len(names)]
            columns = zip(names, zip(*given, strict=True), strict=True) if given else []
            self._arguments[name] = {word: kinds[0] for word, kinds in columns if kinds[0] and len(set(kinds)) == 1}
        self._types = reader.types

    def defaults(self, parameters: Iterable[Parameter], *, device: bool) -> list[str]:
        """Return parameters with defaults, and that of the device."""
        hints = self._style.hints
        texts = [f"{item.name}: {item.hint} = {item.value}" if hints else f"{item.name}={item.value}" for item in parameters]
        return [*texts, *(["device: str | None = None" if hints else "device=None"] if device else [])]

    def annotated(self, names: Sequence[str]) -> list[str]:
        """Return parameters without defaults, with their types where these are certain."""
        return [f"{name}: {self._types[name]}" if name in self._types else name for name in names]

    def result(self, names: Sequence[str]) -> str:
        """Return the annotation of the result of a function that returns these names; empty if it is not certain."""
        if not self._style.hints:
            return ""
        if not names:
            return " -> None"
        kinds = [self._types.get(name, "") for name in names]
        if not all(kinds):
            return ""
        return f" -> {kinds[0]}" if len(kinds) == 1 else f" -> tuple[{', '.join(kinds)}]"

    def helpers(self, text: str) -> str:
        """Return functions with annotations where all of their types are certain."""
        return _HEADER.sub(self._header, text) if self._style.hints else text

    def _header(self, match: re.Match[str]) -> str:
        kinds, result = self._arguments.get(match[1], {}), self._returns.get(match[1])
        names = [name.strip() for name in match[2].split(",")] if match[2] else []
        if not result or not all(name in kinds for name in names):
            return match[0]
        return f"def {match[1]}({', '.join(f'{name}: {kinds[name]}' for name in names)}) -> {result}:"

    def checks(self, parameters: Sequence[Parameter]) -> str:
        """Return statements that refuse wrong values of parameters."""
        if not self._style.validate:
            return ""
        positive = _positive(parameters)
        if self._style.joined_checks and len(positive) > 1:
            condition = " or ".join(f"{item.name} <= {'0' if item.hint == 'int' else '0.0'}" for item in positive)
            listed = f"{', '.join(item.name for item in positive[:-1])} and {positive[-1].name}"
            return f'if {condition}:\n    raise ValueError("{listed} must be positive")'
        lines: list[str] = []
        for item in positive:
            lines.append(f"if {item.name} <= {'0' if item.hint == 'int' else '0.0'}:")
            lines.append(f'    raise ValueError(f"{item.name} must be positive, got {{{item.name}}}")')
        return "\n".join(lines)

    def begin(self, parameters: Sequence[Parameter], *, device: bool) -> str:
        """Return the statements at the beginning of a function: its checks, and the default of its device."""
        default = self._style.device_default("str(wp.get_device())") if device and not self._style.scoped_function else []
        return "\n".join(filter(None, [self.checks(parameters), *default]))

    def described(self, parameters: Sequence[Parameter], *, device: bool, results: Sequence[str] = ()) -> str:
        """Return the sections of a docstring; empty where a parameter has no description."""
        if not self._style.argument_docs or not parameters or not all(item.comment for item in parameters):
            return ""
        lines = ["Args:", *(f"    {item.name}: {item.comment[0].upper()}{item.comment[1:]}." for item in parameters)]
        if device:
            lines.append("    device: Device of the arrays and kernels; the default device if None.")
        if results:
            quoted = [f"``{name}``" for name in results]
            listed = " and ".join(filter(None, [", ".join(quoted[:-1]), quoted[-1]]))
            lines += ["", "Returns:", f"    The values of {listed}." if len(results) > 1 else f"    The value of {listed}."]
        if self._style.validate and _positive(parameters):
            lines += ["", "Raises:", "    ValueError: If a parameter is not positive."]
        return "\n".join(lines)


def _positive(parameters: Sequence[Parameter]) -> list[Parameter]:
    """Return the parameters that must be positive: counts, sizes and lengths that the program begins with above zero."""
    fitting = [item for item in parameters if item.is_literal and float(item.value) > 0 and "seed" not in item.name]
    return sorted(fitting, key=lambda item: item.hint != "int")[:_MAX_CHECKS]
