"""Expressions of generated code: calls, members and operators, as far as accesses to arguments depend on them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TypeAlias

_TOKEN = re.compile(
    r"\s*(?:(?P<name>[A-Za-z_~][\w~]*(?:::[A-Za-z_~][\w~]*)*)|(?P<number>\.?\d[\w.]*(?:[eE][-+]\d+\w*)?)"
    r"|(?P<text>\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*')|(?P<symbol>->|\S))"
)
_CLOSING = {"(": ")", "[": "]", "{": "}"}


@dataclass(frozen=True, slots=True)
class Name:
    """A name: a variable, or a constant."""

    name: str


@dataclass(frozen=True, slots=True)
class Member:
    """``base.name`` or ``base->name``."""

    base: Expression
    name: str


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a function by name, or of a method, whose object is the first argument."""

    name: str
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """Expressions that an operator or brackets combine; ``&x``, ``*x`` and ``(x)`` are groups of one."""

    parts: tuple[Expression, ...]


Expression: TypeAlias = Name | Member | Call | Group


def parse_expression(text: str) -> Expression:
    """Return the expression of a text; operators and constants are dropped.

    Examples:
        >>> parse_expression("wp::load<3>(var_1, &(var_s).a)")
        Call(name='wp::load', arguments=(Name(name='var_1'), Member(base=Name(name='var_s'), name='a')))
    """
    return _Parser(_tokens(text)).expression(())


def _tokens(text: str) -> list[str]:
    tokens: list[str] = []
    position = 0
    while match := _TOKEN.match(text, position):
        tokens.append(match.group().strip())
        position = match.end()
        if match["name"] and text[position : position + 1] == "<":
            position = _after_template(text, position)
    return tokens


def _after_template(text: str, opening: int) -> int:
    """Return the position after the template arguments that open at a position, or the same if it is a comparison."""
    depth = 0
    for position in range(opening, len(text)):
        depth += {"<": 1, ">": -1}.get(text[position], 0)
        if depth == 0:
            return position + 1
    return opening


@dataclass(slots=True)
class _Parser:
    tokens: list[str]
    position: int = 0

    def expression(self, ends: tuple[str, ...]) -> Expression:
        """Return the expression up to one of ``ends``, which is not consumed."""
        parts: list[Expression] = []
        while self.position < len(self.tokens) and self.tokens[self.position] not in ends:
            part = self._primary()
            if part is not None:
                parts.append(self._members(part))
        return parts[0] if len(parts) == 1 else Group(tuple(parts))

    def _primary(self) -> Expression | None:
        text = self.tokens[self.position]
        self.position += 1
        if text in _CLOSING:
            return self._parenthesis(_CLOSING[text])
        if not (text[0].isalpha() or text[0] in "_~"):
            return None
        if self._next() in ("(", "{"):
            closing = _CLOSING[self.tokens[self.position]]
            self.position += 1
            return Call(text, self._list(closing))
        return Name(text)

    def _parenthesis(self, closing: str) -> Expression:
        parts = self._list(closing)
        return parts[0] if len(parts) == 1 else Group(parts)

    def _list(self, closing: str) -> tuple[Expression, ...]:
        items: list[Expression] = []
        while self._next() not in (closing, None):
            items.append(self.expression((",", ";", closing)))
            if self._next() in (",", ";"):
                self.position += 1
        self.position += 1
        return tuple(items)

    def _members(self, base: Expression) -> Expression:
        while self._next() in (".", "->", "["):
            symbol = self.tokens[self.position]
            self.position += 1
            if symbol == "[":
                self._list("]")
                continue
            name = self.tokens[self.position]
            self.position += 1
            if self._next() == "(":
                self.position += 1
                base = Call(name, (base, *self._list(")")))
            else:
                base = Member(base, name)
        return base

    def _next(self) -> str | None:
        return self.tokens[self.position] if self.position < len(self.tokens) else None
