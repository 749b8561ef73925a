"""Functions: parameters, statements and declarations of variables."""

from __future__ import annotations

from collections.abc import Callable

from warpsmith.scoring.policy.cuda_expressions import ExpressionReader
from warpsmith.scoring.policy.cuda_names import SCALAR_TYPES, is_reserved
from warpsmith.scoring.policy.cuda_unit import (
    AUTO,
    LOCAL_ARRAY,
    OPAQUE,
    POINTER,
    POINTER_KINDS,
    SHAPE,
    STRING_TYPE,
    STRUCT,
    TILE,
    VALUE,
    Unit,
)
from warpsmith.scoring.policy.lexer import END, NAME, STRING

MAX_LOCAL_LENGTH = 1024
"""The most elements of a local array."""

_MAX_DEPTH = 100
"""The deepest nesting of blocks."""


def declared_name(unit: Unit, at: int) -> str:
    """Return the name that a declaration introduces, which must not be a reserved one."""
    name = unit.texts[at]
    if unit.kinds[at] != NAME:
        raise unit.refuse_name(at)
    if is_reserved(name):
        raise unit.refuse(at, f"declaring the name '{name[:60]}' is not allowed")
    return name


class FunctionReader:
    """Reads the parameters and the body of one function."""

    def __init__(self, unit: Unit) -> None:
        self._unit = unit
        self._expressions = ExpressionReader(unit)
        self._variables = self._expressions.variables
        self._seen: set[str] = set()
        self._statements: dict[str, Callable[[int, int], int]] = {
            "if": self._if, "while": self._while, "do": self._do, "for": self._for, "return": self._return,
            "break": self._jump, "continue": self._jump, "goto": self._goto, "assert": self._assert,
            "WP_TILE_SYNC": self._synchronize,
        }  # fmt: skip

    def parameters(self, at: int) -> tuple[int, set[str]]:
        """Check parameters; return the index after the closing bracket, and the kinds of their types.

        Parameters are passed by value or by reference.
        """
        unit, texts = self._unit, self._unit.texts
        kinds: set[str] = set()
        at = unit.expect(at, "(")
        if texts[at] == ")":
            return at + 1, kinds
        while True:
            if (found := unit.type_at(at)) is None:
                raise unit.refuse_name(at)
            at, kind = found
            if kind == SHAPE:
                raise unit.refuse(at, "a parameter of this type is not allowed")
            kinds.add(kind)
            if texts[at] == "*":
                raise unit.refuse(at, "a parameter that is a pointer is not allowed")
            at += texts[at] == "&"
            if texts[at] not in (",", ")"):
                self._declare(at, declared_name(unit, at), kind)
                at += 1
            if texts[at] == ")":
                return at + 1, kinds
            at = unit.expect(at, ",")

    def body(self, at: int) -> int:
        """Check a body; return the index after its closing brace."""
        return self._block(at, 0)

    def _block(self, at: int, depth: int) -> int:
        texts = self._unit.texts
        at = self._unit.expect(at, "{")
        while texts[at] != "}":
            at = self._statement(at, depth + 1)
        return at + 1

    def _statement(self, at: int, depth: int) -> int:
        unit, texts = self._unit, self._unit.texts
        if depth > _MAX_DEPTH:
            raise unit.refuse(at, "blocks are nested too deeply")
        text = texts[at]
        if text == "{":
            return self._block(at, depth)
        if text == ";":
            return at + 1
        if unit.kinds[at] == END:
            raise unit.refuse(at, "the text ends too early")
        if (reader := self._statements.get(text)) is not None:
            return reader(at, depth)
        if texts[at + 1] == ":" and unit.kinds[at] == NAME:
            declared_name(unit, at)
            return at + 2
        return self._declaration_or_expression(at)

    def _declaration_or_expression(self, at: int) -> int:
        unit, texts = self._unit, self._unit.texts
        start = at + (texts[at] == "const")
        if texts[start] == "auto":
            return self._deduced(start + 1)
        found = unit.type_at(at) if texts[at] not in self._variables else None
        if found is not None and unit.kinds[found[0]] == NAME and texts[found[0] + 1] == "[":
            return self._local_array(start, found[0])
        if found is not None and (unit.kinds[found[0]] == NAME or texts[found[0]] in ("*", "&")):
            return self._declaration(found[0], found[1])
        return self._expressions.read(at, ";") + 1

    def _declaration(self, at: int, kind: str) -> int:
        unit, texts = self._unit, self._unit.texts
        if texts[at] == "&":
            return self._tile_reference(at, kind)
        if texts[at] == "*":
            kind = POINTER_KINDS.get(kind, POINTER)
            at += 1
        name = declared_name(unit, at)
        while True:
            at += 1
            self._declare(at - 1, name, kind)
            self._expressions.zero_shapes.discard(name)
            self._expressions.unset.discard(name)
            at = self._initializer(at, kind, name)
            if texts[at] == ";":
                return at + 1
            if kind in POINTER_KINDS or kind.startswith(POINTER):
                raise unit.refuse(at, "each variable of this type needs a separate declaration")
            at = unit.expect(at, ",")
            name = declared_name(unit, at)

    def _deduced(self, at: int) -> int:
        """Check ``auto x = …;``: the variable is a pointer if the value is an address of an element, and otherwise a value."""
        unit, texts = self._unit, self._unit.texts
        is_pointer = texts[at] == "*"
        value = at + is_pointer + 2
        if is_pointer or texts[value : value + 4] == ["wp", "::", "address", "("]:
            return self._declaration(at + is_pointer, POINTER)
        if texts[at] == "&" or texts[at + 1] != "=":
            raise unit.refuse(at, "'auto' needs a name and a value, and no reference")
        return self._declaration(at, AUTO)

    def _local_array(self, start: int, at: int) -> int:
        """Check ``float x[4];`` and ``float x[4] = {…};``, whose elements are numbers."""
        unit, texts = self._unit, self._unit.texts
        name = declared_name(unit, at)
        length = texts[at + 2]
        if "".join(texts[start:at]) not in SCALAR_TYPES:
            raise unit.refuse(start, "the elements of a local array are numbers")
        if not (length.isdecimal() and 1 <= int(length) <= MAX_LOCAL_LENGTH):
            raise unit.refuse(at + 2, f"the length of a local array is a number from 1 to {MAX_LOCAL_LENGTH}")
        self._declare(at, name, LOCAL_ARRAY)
        end = unit.expect(at + 3, "]")
        if texts[end] == ";":
            return end + 1
        end = unit.expect(end, "=", "{")
        return unit.expect(end if texts[end] == "}" else self._expressions.read(end, "}", AUTO), "}", ";")

    def _declare(self, at: int, name: str, kind: str) -> None:
        """Add a variable; a name has one kind in the whole function, in whichever block it is declared."""
        known = self._variables.setdefault(name, kind)
        if known != kind or (name in self._seen and kind not in (VALUE, STRUCT)):
            raise self._unit.refuse(at, f"a second declaration of '{name[:60]}' is not allowed")
        self._seen.add(name)

    def _tile_reference(self, at: int, kind: str) -> int:
        """Check ``& adj_1 = var_1;``: the adjoint of a tile may be another name for the tile."""
        unit, texts = self._unit, self._unit.texts
        if kind != TILE or self._variables.get(texts[at + 3]) != TILE:
            raise unit.refuse(at, "a variable that is a reference is not allowed")
        self._declare(at + 1, declared_name(unit, at + 1), kind)
        return unit.expect(at + 2, "=", texts[at + 3], ";")

    def _initializer(self, at: int, kind: str, name: str) -> int:
        """Check what initializes a variable; return the index of the token after it."""
        unit, texts = self._unit, self._unit.texts
        if texts[at] in (";", ","):
            if kind.startswith(POINTER):
                self._expressions.unset.add(name)
            return at
        if kind == STRING_TYPE and texts[at : at + 3] != ["=", "{", "}"]:
            at = unit.expect(at, "=")
            if unit.kinds[at] != STRING:
                raise unit.refuse_name(at)
            return at + 1
        if kind == SHAPE and texts[at : at + 3] == ["=", "{", "}"]:
            self._expressions.zero_shapes.add(name)
            return at + 3
        if texts[at] == "=":
            return self._expressions.read(at + 1, ",;", kind)
        if texts[at] == "{" and texts[at + 1] == "}":
            return at + 2
        if texts[at] in ("{", "(") and kind in (VALUE, OPAQUE) and (kind == VALUE or texts[at + 1] == ")"):
            closing = "}" if texts[at] == "{" else ")"
            return unit.expect(self._expressions.read(at + 1, closing, kind), closing)
        raise unit.refuse_name(at)

    # ------------------------------------------------------------------------------------------------------------- statements

    def _condition(self, at: int) -> int:
        """Check an expression in brackets."""
        at = self._unit.expect(at, "(")
        return self._unit.expect(self._expressions.read(at, ")"), ")")

    def _if(self, at: int, depth: int) -> int:
        at = self._statement(self._condition(at + 1), depth + 1)
        if self._unit.texts[at] == "else":
            # A chain of alternatives is no nesting of the text.
            return self._statement(at + 1, depth if self._unit.texts[at + 1] == "if" else depth + 1)
        return at

    def _while(self, at: int, depth: int) -> int:
        return self._statement(self._condition(at + 1), depth + 1)

    def _do(self, at: int, depth: int) -> int:
        at = self._unit.expect(self._statement(at + 1, depth + 1), "while")
        return self._unit.expect(self._condition(at), ";")

    def _for(self, at: int, depth: int) -> int:
        unit, texts = self._unit, self._unit.texts
        at = unit.expect(at + 1, "(")
        at = at + 1 if texts[at] == ";" else self._declaration_or_expression(at)
        at = unit.expect(self._expressions.read(at, ";"), ";")
        at = unit.expect(self._expressions.read(at, ")"), ")")
        return self._statement(at, depth + 1)

    def _return(self, at: int, _: int) -> int:
        return self._expressions.read(at + 1, ";") + 1

    def _jump(self, at: int, _: int) -> int:
        return self._unit.expect(at + 1, ";")

    def _goto(self, at: int, _: int) -> int:
        declared_name(self._unit, at + 1)
        return self._unit.expect(at + 2, ";")

    def _assert(self, at: int, _: int) -> int:
        unit = self._unit
        at = unit.expect(at, "assert", "(", "(", "(", "void", ")")
        if unit.kinds[at] != STRING:
            raise unit.refuse_name(at)
        at = unit.expect(at + 1, ",")
        if unit.texts[at] not in self._variables:
            raise unit.refuse_name(at)
        return unit.expect(at + 1, ")", ")", ";")

    def _synchronize(self, at: int, _: int) -> int:
        return self._unit.expect(at + 1, "(", ")", ";")
