"""Expressions: which names, members and operators they may use."""

from __future__ import annotations

from warpsmith.scoring.policy.addresses import BRACE, CALL, CAST, CONSTRUCTOR, GROUP, INDEX, AddressRules, Bracket
from warpsmith.scoring.policy.cuda_names import (
    CALLABLE_WITHOUT_DECLARATION,
    CONSTANTS,
    COORDINATES,
    MATHEMATICAL,
    SCALAR_KEYWORDS,
    is_native_function,
)
from warpsmith.scoring.policy.cuda_unit import ADDRESSES, ARRAY, AUTO, LOCAL_ARRAY, OPAQUE, SHAPE, TILE, VALUE
from warpsmith.scoring.policy.lexer import NAME, NUMBER, PUNCTUATION

_OPERATORS = frozenset("+ - * / % < > <= >= == != && || ! ~ ^ & | << ? : , = += -= *= /= %= &= |= ^= <<= >>= ++ --".split())

_NEED_OPERAND = {
    "*": "reading through a pointer with '*' is not allowed; wp::load reads",
    "&&": "taking an address with '&&' is not allowed",
}
"""Operators that have another meaning without an operand before them."""

_MAX_DEPTH = 200
"""The deepest nesting of brackets."""


class ExpressionReader(AddressRules):
    """Reads the expressions of one function."""

    _pending: Bracket | None = None
    """The function before the bracket that follows."""

    def read(self, at: int, stops: str, target: str = "") -> int:
        """Check an expression and return the index of the token that ends it.

        Args:
            at: the first token.
            stops: the characters that end the expression outside of brackets.
            target: the kind of the variable that the expression initializes, if any.
        """
        unit, texts, kinds = self.unit, self.unit.texts, self.unit.kinds
        self._target, self._first, self._pending = target, at, None
        brackets: list[Bracket] = []
        self._brackets = brackets
        while True:
            text = texts[at]
            if not brackets and text and text in stops:
                return at
            kind = kinds[at]
            if kind == NAME:
                at = self._name(at)
            elif kind == NUMBER:
                at += 1
            elif kind != PUNCTUATION:
                raise unit.refuse_name(at)
            else:
                at = self._punctuation(at, text)

    def _punctuation(self, at: int, text: str) -> int:
        """Check a character; return the index of the token to read next."""
        if text in ("(", "{"):
            return self._open(at)
        if text == "[" and self.variables.get(self.unit.texts[at - 1]) == LOCAL_ARRAY:
            self._brackets.append(Bracket(INDEX, "", at))
        elif (text == "]" and self._inner().kind == INDEX) or (text in (")", "}") and self._brackets):
            self._close(at)
        elif text == ".":
            return self._member(at, None) + 1
        elif text == "&" and not self._is_operand(at - 1):
            return self._address(at)
        elif text in _NEED_OPERAND and not self._is_operand(at - 1):
            raise self.unit.refuse(at, _NEED_OPERAND[text])
        elif text not in _OPERATORS:
            raise self.unit.refuse_name(at)
        return at + 1

    # ------------------------------------------------------------------------------------------------------------------ names

    def _name(self, at: int) -> int:
        unit, text = self.unit, self.unit.texts[at]
        if (kind := self.variables.get(text)) is not None:
            return self._variable(at, kind)
        if text == "wp":
            return self._native(at)
        if text in unit.structs:
            return self._call(at + 1, CONSTRUCTOR, text, at)
        if text in unit.functions or text in CALLABLE_WITHOUT_DECLARATION:
            if text in unit.functions and self._is_mapped(at + 1):
                return at + 1
            return self._call(at + 1, CALL, text, at, is_local=True)
        if text in MATHEMATICAL:
            return self._call(at + 1, CALL, text, at, is_local=True)
        return self._word(at, text)

    def _word(self, at: int, text: str) -> int:
        """Check a coordinate, a cast or a constant."""
        unit = self.unit
        if text in COORDINATES:
            return self._coordinate(at)
        if text == "static_cast":
            found = unit.type_at(unit.expect(at + 1, "<"))
            if found is None or found[1] != VALUE:
                raise unit.refuse(at, "static_cast to this type is not allowed")
            return self._call(unit.expect(found[0], ">"), CAST, text, at)
        if text in SCALAR_KEYWORDS:
            return self._call(at + 1, CAST, text, at)
        if text in CONSTANTS:
            return at + 1
        is_value = unit.texts[at - 1] == "=" and unit.texts[at + 1] == ";"
        if text == "nullptr" and is_value and (self._target in ADDRESSES or self._target == TILE):
            return at + 1
        raise unit.refuse_name(at)

    def _native(self, at: int) -> int:
        """Check a name of the namespace ``wp``."""
        unit, texts = self.unit, self.unit.texts
        name_at = unit.expect(at + 1, "::")
        name = texts[name_at]
        if (found := unit.type_at(at)) is not None:
            return self._native_type(at, name, *found)
        if not is_native_function(name, unit.groups):
            raise unit.refuse(name_at, f"the name 'wp::{name[:60]}' is not allowed")
        end = name_at + 1
        if texts[end] == "<":
            end = unit.template_arguments(end)
        return end if self._is_mapped(end) else self._call(end, CALL, name, at)

    def _native_type(self, at: int, name: str, end: int, kind: str) -> int:
        unit, texts = self.unit, self.unit.texts
        if name == "tile_shared_storage_t" and texts[end] == "::":
            return self._call(unit.expect(end, "::", "init"), CALL, "init", at)
        if texts[end] == "," and self._inner().callee.removeprefix("adj_") in ("tile_fft", "tile_ifft"):
            return end
        is_empty = texts[end + 1] in (")", "}")
        if (
            kind in (ARRAY, SHAPE, TILE, OPAQUE)
            and not is_empty
            and not (name == "fixedarray_t" and "fixedarray" in unit.groups)
        ):
            raise unit.refuse(at, f"making a wp::{name} of values is not allowed")
        return self._call(end, CONSTRUCTOR, name, at)

    def _is_mapped(self, end: int) -> bool:
        """Return whether a function that ends at an index is an argument that a tile operation applies."""
        return self.unit.texts[end] in (",", ")") and self._inner().callee.startswith(("tile", "adj_tile"))

    def _call(self, at: int, kind: str, callee: str, start: int, is_local: bool = False) -> int:
        """Note what the bracket at an index belongs to."""
        if self.unit.texts[at] != "(" and (self.unit.texts[at] != "{" or kind in (CALL, CAST)):
            raise self.unit.refuse_name(start)
        self._pending = Bracket(kind, callee, start, is_local)
        return at

    def _variable(self, at: int, kind: str) -> int:
        unit, texts = self.unit, self.unit.texts
        following = texts[at + 1]
        if kind == LOCAL_ARRAY and following != "[":
            raise unit.refuse(at, f"the local array '{texts[at][:60]}' is not allowed here without an index")
        if self._target == AUTO and kind in (SHAPE, TILE, OPAQUE) and not self._brackets:
            raise unit.refuse(at, f"'{texts[at][:60]}' is no value that 'auto' may copy")
        if following == ".":
            return self._member(at + 1, kind) + 1
        if following == "(":
            raise unit.refuse(at, f"calling the variable '{texts[at][:60]}' is not allowed")
        if kind in ADDRESSES:
            self._check_address(at, at + 1, texts[at], kind)
        elif kind == SHAPE and texts[at] in self.zero_shapes:
            inner = self._inner()
            is_reset = at == self._first and texts[at + 1 : at + 5] == ["=", "{", "}", ";"]
            if not is_reset and (inner.is_local or not inner.callee.startswith("adj_")):
                raise unit.refuse(at, f"the adjoint of a shape, '{texts[at][:60]}', is not allowed here")
        return at + 1

    # ---------------------------------------------------------------------------------------------------------------- members

    def _member(self, at: int, kind: str | None) -> int:
        """Check the member after a dot; return the index of the last token of the member."""
        unit, texts = self.unit, self.unit.texts
        name = texts[at + 1]
        if unit.kinds[at + 1] != NAME:
            raise unit.refuse_name(at)
        if name == "shape":
            return self._shape(at)
        if kind == TILE and texts[at + 1 : at + 4] == ["grad_zero", "(", ")"]:
            return at + 3
        if kind in ADDRESSES or kind in (SHAPE, TILE) or not unit.is_member(name) or texts[at + 2] == "(":
            raise unit.refuse(at + 1, f"the member '{name[:60]}' is not allowed")
        if unit.is_array(name, kind):
            if kind is None:
                raise unit.refuse(at + 1, f"the member '{name[:60]}' is not allowed here")
            self._check_address(at - 1, at + 2, name, ARRAY)
        return at + 1

    def _shape(self, at: int) -> int:
        """Check ``x.shape[0]`` and the adjoint of reading a shape, ``adj_x.shape = adj_1``."""
        unit, texts = self.unit, self.unit.texts
        owner = texts[at - 1]
        if self.variables.get(owner) != ARRAY:
            raise unit.refuse(at + 1, "the member 'shape' is not allowed here")
        if texts[at + 2] == "[":
            if unit.kinds[at + 3] != NUMBER or texts[at + 3] not in "0123" or texts[at + 4] != "]":
                raise unit.refuse(at + 3, "the index of a shape must be 0, 1, 2 or 3")
            self._check_read(at - 1, at + 5, f"{owner}.shape")
            return at + 4
        is_adjoint = owner.startswith("adj_") and texts[at + 3] in self.zero_shapes and self._first == at - 1
        if texts[at + 2] == "=" and is_adjoint and texts[at + 4] == ";":
            return at + 3
        if texts[at + 2] in (",", ")") and self._inner().callee == "extract":
            return at + 1
        raise unit.refuse(at + 1, f"'{owner[:60]}.shape' is not allowed here")

    # --------------------------------------------------------------------------------------------------------------- brackets

    def _open(self, at: int) -> int:
        unit, texts = self.unit, self.unit.texts
        if len(self._brackets) > _MAX_DEPTH:
            raise unit.refuse(at, "brackets are nested too deeply")
        if self._pending is not None:
            self._brackets.append(self._pending)
            self._pending = None
            return at + 1
        if texts[at] == "{":
            return self._open_brace(at)
        if self._is_operand(at - 1):
            raise unit.refuse_name(at)
        if (found := unit.type_at(at + 1)) is not None and texts[found[0]] == ")":
            return self._open_cast(at, *found)
        self._brackets.append(Bracket(GROUP, "", at))
        return at + 1

    def _open_brace(self, at: int) -> int:
        """Check a list of values, which may make vectors and matrices, but nothing that contains an address."""
        unit, texts, inner = self.unit, self.unit.texts, self._inner()
        if texts[at - 1] not in ("=", "(", ",", "{"):
            raise unit.refuse_name(at)
        if not self._brackets:
            makes_value = texts[at - 1] == "=" and (self._target or self.variables.get(texts[at - 2])) == VALUE
        elif inner.kind == CALL:
            makes_value = not inner.is_local and inner.callee.startswith("adj_")
        else:
            makes_value = inner.kind == BRACE or (inner.kind == CONSTRUCTOR and inner.callee not in unit.structs)
        if not makes_value and texts[at + 1] != "}":
            raise unit.refuse(at, "a list of values is not allowed here")
        self._brackets.append(Bracket(BRACE, inner.callee, at))
        return at + 1

    def _open_cast(self, at: int, end: int, kind: str) -> int:
        """Check a cast such as ``(float)``; return the index after it."""
        unit, following = self.unit, self.unit.texts[end + 1]
        is_operand = unit.kinds[end + 1] in (NAME, NUMBER) or following in ("(", "-", "+", "~", "!")
        if kind != VALUE or not is_operand:
            raise unit.refuse(at, "this cast is not allowed")
        if following == "(":
            self._pending = Bracket(CAST, "", at)
        return end + 1
