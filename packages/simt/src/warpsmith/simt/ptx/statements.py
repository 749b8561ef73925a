"""The statements of the body of a function, and their operands."""

from __future__ import annotations

import re
from collections.abc import Iterator

from warpsmith.simt.ptx.syntax import Function, Location, ModuleSyntax, PtxError, Statement

CALLER_LIMIT = 64
"""Inlined calls of a source location; those that are further out are not stored."""

# An instruction without a semicolon matches up to the end of the body, so that the expression never goes back.
_STATEMENT = re.compile(
    r"""\s*(?:
    (?P<label>[A-Za-z_$%][\w$]*)\s*:(?!:)
    | (?:@(?P<negated>!?)\s*(?P<predicate>[%A-Za-z_$][\w$]*)\s+)?(?P<instruction>[a-z][\w.:]*)(?P<operands>[^;]*)(?:;|\Z)
    | \.loc\b(?P<loc>[^\n]*)
    | \.(?P<directive>[a-z]\w*)(?P<arguments>[^;]*)(?:;|\Z)
    | (?P<open>\{)
    | (?P<close>\})
    | (?P<empty>;)
    )""",
    re.VERBOSE,
)


def statements(module: ModuleSyntax, function: Function) -> Iterator[Statement]:
    """Yield the statements of a body.

    Raises:
        PtxError: if a part of the body is no statement.
    """
    text, position, end = module.text, function.start, function.end
    kind: str | None = ""
    match = _STATEMENT.scanner(text, position, end).match  # type: ignore[attr-defined]
    new = tuple.__new__  # a tenth of the time of lowering is saved
    while (found := match()) is not None:
        kind = found.lastgroup
        if kind == "operands":
            _, negated, predicate, opcode, operands, *_ = found.groups("")
            yield new(Statement, ("instruction", opcode, operands, predicate, negated, found.start("instruction")))
        elif kind == "loc":
            yield Statement("loc", found["loc"], "", "", "", found.start("loc"))
        elif kind == "label":
            yield Statement("label", found["label"], "", "", "", found.start("label"))
        elif kind == "arguments":
            yield Statement("directive", found["directive"], found["arguments"], "", "", found.start("directive"))
        elif kind != "empty":
            yield Statement(str(kind), "", "", "", "", found.end() - 1)
        position = found.end()
    if kind in ("operands", "arguments") and text[end - 1] != ";" and position == end:
        raise PtxError(f"line {module.line(end)}: a semicolon is missing")
    if rest := text[position:end].lstrip():
        raise PtxError(f"line {module.line(end - len(rest))}: not a statement: {rest.rstrip()[:60]!r}")


def split_operands(text: str) -> list[str]:
    """Return the operands of an instruction without blanks; commas in braces, brackets and parentheses do not separate.

    Examples:
        >>> split_operands(" {%f1, %f2}, [%rd1+8]")
        ['{%f1,%f2}', '[%rd1+8]']
    """
    text = "".join(text.split())
    if not text:
        return []
    if "{" not in text and "(" not in text:
        return text.split(",")
    parts, depth, start = [], 0, 0
    for position, character in enumerate(text):
        if character in "{[(":
            depth += 1
        elif character in "}])":
            depth -= 1
        elif character == "," and depth == 0:
            parts.append(text[start:position])
            start = position + 1
    parts.append(text[start:])
    return parts


def members(operand: str) -> list[str]:
    """Return the members of a vector operand such as ``{%f1,%f2}``, or the operand itself."""
    return operand[1:-1].split(",") if operand.startswith(("{", "(")) else [operand]


class Locations:
    """The source locations of a body, from its ``.loc`` statements.

    Attributes:
        places: the locations of the program, which are numbered.
        current: the number of the current one.
    """

    def __init__(self, places: list[Location]) -> None:
        self.places = places
        self.current = 0
        self._known: dict[tuple[str, ...], Location] = {}
        self._numbers: dict[Location, int] = {}
        self._texts: dict[str, int] = {}

    def read(self, arguments: str) -> None:
        """Make the place that the arguments of a ``.loc`` describe the current one; arguments that describe none are ignored.

        The caller of an inlined function is a place of an earlier ``.loc``, which may be inlined itself.
        """
        number = self._texts.get(arguments)
        if number is None:
            words = arguments.replace(",", " ").split()
            try:
                place = self._place(words)
            except (IndexError, ValueError):
                return
            before = self.places[self.current]
            merged = not place.line and place.file == before.file  # several lines became one instruction
            if merged:
                place = place._replace(line=before.line)
            self._known[tuple(words[:3])] = place
            number = self._numbers.get(place)
            if number is None:
                number = self._numbers[place] = len(self.places)
                self.places.append(place)
            if not merged:
                self._texts[arguments] = number
        self.current = number

    def _place(self, words: list[str]) -> Location:
        place = Location(int(words[0]), int(words[1]))
        if "inlined_at" not in words:
            return place
        at = words.index("inlined_at")
        caller = self._known.get(tuple(words[at + 1 : at + 4]))
        if caller is not None and _depth(caller) >= CALLER_LIMIT:
            caller = caller._replace(caller=None)
        return place._replace(caller=caller or Location(int(words[at + 1]), int(words[at + 2])))


def _depth(place: Location) -> int:
    """Return the number of calls that a location is inlined in."""
    depth, caller = 0, place.caller
    while caller is not None:
        depth, caller = depth + 1, caller.caller
    return depth
