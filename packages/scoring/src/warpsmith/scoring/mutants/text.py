"""Generated CUDA text as functions, variables and statements, for edits and for proofs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

_HEAD = re.compile(r'^(?:static CUDA_CALLABLE|extern "C" __global__) \S.*?(\w+)\($')
_PARAMETER = re.compile(r"^\s+(\S.*?)\s*(&?)\s*((?:var|adj)_\w+)[,)]$")
_DECLARATION = re.compile(r"^(?:const )?((?:wp::\w+(?:<[^()]*>)?|bool)\*?) ((?:var|adj)_\w+)(?: = (.*))?;$")
_CALL = re.compile(r"^(?:((?:var|adj)_\w+) = )?((?:wp::)?\w+(?:<[^()]*>)?)\((.*)\);$")
_SET = re.compile(r"^((?:var|adj)_\w+) (\+?=) (.*);$")

NAME = re.compile(r"\b(?:var|adj)_\w+")
FOR_EXIT = re.compile(r"^if \(iter_cmp\((var_\w+)\) == 0\) goto (\w+);$")
WHILE_EXIT = re.compile(r"^if \(\((var_\w+)\) == (?:false|true)\) goto (\w+);$")
IF = re.compile(r"^if \((.*)\) \{$")
GOTO = re.compile(r"^goto (\w+);$")
LABEL = re.compile(r"^(\w+):;$")


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement.

    Attributes:
        line: its number in the text, from 0.
        code: the line without its indentation.
    """

    line: int
    code: str

    @property
    def call(self) -> tuple[str | None, str, tuple[str, ...]] | None:
        """The assigned variable, the function and its arguments, if the statement is a single call."""
        match = _CALL.match(self.code)
        if match is None or "(" in match[3]:
            return None
        arguments = tuple(argument.strip() for argument in match[3].split(",")) if match[3] else ()
        return match[1], match[2], arguments

    @property
    def assigned(self) -> tuple[str, str, str] | None:
        """The variable, ``=`` or ``+=``, and the expression of an assignment."""
        match = _SET.match(self.code)
        return (match[1], match[2], match[3]) if match else None

    @property
    def declared(self) -> tuple[str, str, str | None] | None:
        """The type, the variable and the initial value of a declaration."""
        match = _DECLARATION.match(self.code)
        return (match[1], match[2], match[3]) if match else None

    @property
    def adjoint(self) -> bool:
        """Whether the statement belongs to the reverse pass and not to the replayed forward pass."""
        return self.code.startswith(("wp::adj_", "adj_")) and self.declared is None


@dataclass(frozen=True, slots=True)
class Function:
    """One function.

    Attributes:
        name: the name of the function.
        types: the types of parameters and variables, without ``const`` and ``&``.
        parameters: the names of the parameters, in order.
        references: the parameters that are passed by reference.
        statements: the declarations and statements in order, including braces and labels.
    """

    name: str
    types: dict[str, str]
    parameters: tuple[str, ...]
    references: frozenset[str]
    statements: tuple[Statement, ...]

    @property
    def constants(self) -> Mapping[str, str]:
        """The variables that never change, with type and value as one string."""
        return _constants(self.statements)

    def edited(self, line: int, code: str | None) -> Function:
        """Return the function with one line replaced or, for None, emptied."""
        changed = (
            replace(statement, code=code or "") if statement.line == line else statement for statement in self.statements
        )
        return replace(self, statements=tuple(changed))


@lru_cache(maxsize=64)  # edits of each statement of a function read them
def _constants(statements: tuple[Statement, ...]) -> Mapping[str, str]:
    changed = {name for statement in statements for name in _written(statement)}
    declarations = (statement.declared for statement in statements)
    return {
        name: f"{type_name} {value}"
        for type_name, name, value in filter(None, declarations)
        if value not in (None, "{}") and name not in changed
    }


def _written(statement: Statement) -> Iterator[str]:
    if statement.declared is None and (assigned := statement.assigned):
        yield assigned[0]
    if (call := statement.call) and call[0] is None:
        yield from call[2][:1] if call[1] == "wp::assign" else ()


def functions(text: str) -> list[Function]:
    """Return the functions of a text, in order."""
    lines = text.split("\n")
    heads = ((number, match[1]) for number, line in enumerate(lines) if (match := _HEAD.match(line)))
    return [found for number, name in heads if (found := _function(lines, number, name)) is not None]


def _function(lines: list[str], start: int, name: str) -> Function | None:
    """Return the function whose head is a line, or None if it has no body in Warp's layout."""
    opening = next((number for number in range(start, len(lines)) if lines[number] == "{"), len(lines))
    closing = next((number for number in range(opening, len(lines)) if lines[number] == "}"), None)
    if closing is None:
        return None
    matches = [match for line in lines[start + 1 : opening] if (match := _PARAMETER.match(line))]
    types = {match[3]: match[1] for match in matches}
    first = next((number for number in range(opening, closing) if lines[number].strip().startswith("// primal vars")), opening)
    statements = tuple(
        Statement(number, code)
        for number in range(first + 1, closing)
        if (code := lines[number].strip()) and not code.startswith("//")
    )
    types |= {found[1]: found[0] for statement in statements if (found := statement.declared)}
    references = frozenset(match[3] for match in matches if match[2])
    return Function(name, types, tuple(match[3] for match in matches), references, statements)


def is_float(type_name: str) -> bool:
    """Return whether a type is a float, or has float components or elements."""
    return "float" in type_name
