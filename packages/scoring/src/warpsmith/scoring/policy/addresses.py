"""Where addresses may appear in expressions: as arguments, and as the values of variables of their kind."""

from __future__ import annotations

from warpsmith.scoring.policy.cuda_names import ARRAY_TYPES, CHANGES_ARGUMENTS, POINTER_RESULTS, VALUE_RESULTS
from warpsmith.scoring.policy.cuda_unit import ADDRESSES, ARRAY, ARRAY_POINTER, POINTER, SHAPE, SHAPE_POINTER, Unit
from warpsmith.scoring.policy.lexer import NAME, NUMBER

ASSIGNMENTS = frozenset("= += -= *= /= %= &= |= ^= <<= >>= ++ --".split())

CALL, CONSTRUCTOR, CAST, GROUP, BRACE, INDEX = "call", "constructor", "cast", "group", "brace", "index"
"""Kinds of brackets."""

_NOT_OPERANDS = frozenset("return if while for else do goto".split())


class Bracket:
    """An open bracket.

    Attributes:
        kind: what the bracket belongs to.
        callee: the function or the type before it.
        start: the index of the token where the function's name begins.
        is_local: whether the function is not in the namespace ``wp``.
        addresses: whether an argument is an address.
        array_pointers: whether an argument is the address of an array.
    """

    __slots__ = ("addresses", "array_pointers", "callee", "is_local", "kind", "start")

    def __init__(self, kind: str, callee: str, start: int, is_local: bool = False) -> None:
        self.kind, self.callee, self.start, self.is_local = kind, callee, start, is_local
        self.addresses = self.array_pointers = False


_OUTSIDE = Bracket("", "", -1)


class AddressRules:
    """The part of reading expressions that follows addresses.

    Attributes:
        unit: the text.
        variables: the kinds of the function's variables by name.
        zero_shapes: the shapes that are declared with ``= {}``.
        unset: the pointers that have no value yet.
    """

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.variables: dict[str, str] = {}
        self.zero_shapes: set[str] = set()
        self.unset: set[str] = set()
        self._brackets: list[Bracket] = []
        self._target = ""
        self._first = 0

    def _inner(self) -> Bracket:
        return self._brackets[-1] if self._brackets else _OUTSIDE

    def _is_operand(self, at: int) -> bool:
        """Return whether the token at an index ends an operand."""
        kind, text = self.unit.kinds[at], self.unit.texts[at]
        return kind == NUMBER or (kind == NAME and text not in _NOT_OPERANDS) or text in (")", "}", "]")

    def _check_read(self, start: int, end: int, what: str) -> None:
        """Refuse an expression where its value may change."""
        texts = self.unit.texts
        inner = self._inner()
        alone = texts[start - 1] in ("(", ",", "{") and texts[end] in (")", ",", "}")
        changes = inner.kind == CALL and (inner.is_local or CHANGES_ARGUMENTS.fullmatch(inner.callee)) and alone
        if texts[end] in ASSIGNMENTS or texts[start - 1] in ("++", "--", "&") or changes:
            raise self.unit.refuse(start, f"changing '{what}' is not allowed")

    def _coordinate(self, at: int) -> int:
        unit, texts = self.unit, self.unit.texts
        end = unit.expect(at + 1, ".")
        if texts[end] not in ("x", "y", "z"):
            raise unit.refuse_name(end)
        self._check_read(at, end + 1, f"{texts[at]}.{texts[end]}")
        return end + 1

    def _check_address(self, start: int, end: int, name: str, kind: str) -> None:
        """Refuse an address anywhere but as an argument, as the value of a variable of its kind, and as the target of one."""
        texts = self.unit.texts
        before, after = texts[start - 1], texts[end]
        if before in ("(", ",") and after in (",", ")") and self._inner().kind in (CALL, CONSTRUCTOR):
            self._check_argument(start, name, kind)
        elif self._brackets or not self._is_value_or_target(start, before, after, kind):
            raise self.unit.refuse(start, f"the address '{name[:60]}' is not allowed here")

    def _check_argument(self, at: int, name: str, kind: str) -> None:
        inner = self._inner()
        if inner.kind == CONSTRUCTOR and (kind != ARRAY or inner.callee not in self.unit.structs):
            raise self.unit.refuse(at, f"making a value of the address '{name[:60]}' is not allowed")
        if inner.is_local and kind != ARRAY:
            raise self.unit.refuse(at, f"passing the address '{name[:60]}' to a function of the text is not allowed")
        if kind == SHAPE_POINTER and inner.callee not in ("load", "adj_load"):
            raise self.unit.refuse(at, f"the address of a shape, '{name[:60]}', is not allowed here")
        if name in self.unset:
            raise self.unit.refuse(at, f"the pointer '{name[:60]}' has no value")
        inner.addresses = True
        inner.array_pointers |= kind == ARRAY_POINTER

    def _is_value_or_target(self, start: int, before: str, after: str, kind: str) -> bool:
        """Return whether an address outside of brackets is the whole value, or the whole target, of a statement."""
        texts = self.unit.texts
        if before == "=" and after == ";" and (self._target or start - 2 == self._first):
            target = self._target or self.variables.get(self.unit.texts[start - 2], "")
            if (
                target not in ADDRESSES
                or (target == ARRAY) != (kind == ARRAY)
                or (target == SHAPE_POINTER) != (kind == SHAPE_POINTER)
            ):
                return False
            self.unset.discard(self.unit.texts[start - 2])
            return True
        if start == self._first and after == "=":
            return True
        if before == "=" and after == ";" and texts[start - 3] == "." and start - 4 == self._first:
            return kind == ARRAY and self.unit.is_array(texts[start - 2])
        return kind == ARRAY and ((before == "." and after in ("=", "+=")) or (before == "return" and after == ";"))

    def _address(self, at: int) -> int:
        """Check ``&`` before an operand; return the index after the operand."""
        unit, texts = self.unit, self.unit.texts
        if self._is_adjoint_list(at):
            return at + 2
        opening = at + 1
        while texts[opening] == "(":
            opening += 1
        depth = opening - at - 1
        kind = self.variables.get(texts[opening])
        end = opening + 1
        while depth and texts[end] == ")":
            end, depth = end + 1, depth - 1
        name = texts[end + 1] if texts[end] == "." or (texts[end] == "->" and kind == ARRAY_POINTER) else ""
        end += 2
        while depth and texts[end] == ")":
            end, depth = end + 1, depth - 1
        is_shape = name == "shape" and kind in (ARRAY, ARRAY_POINTER) and texts[opening] not in self.unset
        is_field = name != "shape" and unit.is_member(name) and kind is not None and kind not in ADDRESSES and kind != SHAPE
        if depth or not (is_shape or is_field):
            raise unit.refuse(at, "taking an address with '&' is not allowed here")
        self._check_address(
            at, end, name, SHAPE_POINTER if is_shape else ARRAY_POINTER if unit.is_array(name, kind) else POINTER
        )
        return end

    def _is_adjoint_list(self, at: int) -> bool:
        """Return whether ``&`` stands in ``wp::adj_f({…}, {&adj_0, &adj_1}, …)``."""
        texts = self.unit.texts
        kind = self.variables.get(texts[at + 1])
        return (
            self._inner().kind == BRACE
            and self._inner().callee.startswith("adj_")
            and kind is not None
            and kind not in ADDRESSES
            and texts[at - 1] in ("{", ",")
            and texts[at + 2] in (",", "}")
        )

    def _close(self, at: int) -> None:
        bracket = self._brackets.pop()
        if (bracket.kind == BRACE and self.unit.texts[at] == ")") or (bracket.kind == INDEX) != (self.unit.texts[at] == "]"):
            raise self.unit.refuse_name(at)
        makes_array = bracket.callee in ARRAY_TYPES or (bracket.is_local and self.unit.functions.get(bracket.callee) == ARRAY)
        if makes_array:
            self._check_result(bracket, at, ARRAY)
        if bracket.kind != CALL or makes_array:
            return
        is_address = bracket.addresses and not bracket.is_local and not VALUE_RESULTS.fullmatch(bracket.callee)
        if bracket.callee in POINTER_RESULTS or is_address or bracket.array_pointers:
            self._check_result(bracket, at, self._result_kind(bracket))

    def _check_result(self, bracket: Bracket, at: int, kind: str) -> None:
        """Check the use of a result that is an address, unless the result is the whole statement."""
        if self._brackets or self.unit.texts[at + 1] != ";" or bracket.start != self._first:
            self._check_address(bracket.start, at + 1, f"{bracket.callee}(…)", kind)

    def _result_kind(self, bracket: Bracket) -> str:
        """Return whether a result is an array or a pointer; where that depends on the arguments, the target decides."""
        if bracket.callee == "view" or bracket.array_pointers:
            return ARRAY
        if bracket.callee in POINTER_RESULTS:
            return POINTER
        target = self._target or self.variables.get(self.unit.texts[bracket.start - 2], "")
        return ARRAY if target == ARRAY else POINTER
