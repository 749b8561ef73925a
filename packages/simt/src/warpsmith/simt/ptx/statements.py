"""The statements of the body of a function, and their operands."""

from __future__ import annotations

import re
from collections.abc import Iterator

from warpsmith.simt.ptx.syntax import Function, Location, ModuleSyntax, PtxError, Statement

_STATEMENT = re.compile(
    r"""\s*(?:
    (?P<label>[A-Za-z_$%][\w$]*)\s*:(?!:)
    | (?:@(?P<negated>!?)\s*(?P<predicate>[%A-Za-z_$][\w$]*)\s+)?(?P<instruction>[a-z][\w.:]*)(?P<operands>[^;]*);
    | \.loc\b(?P<loc>[^\n]*)
    | \.(?P<directive>[a-z]\w*)(?P<arguments>[^;]*);
    | (?P<open>\{)
    | (?P<close>\})
    | (?P<empty>;)
    )""",
    re.VERBOSE,
)
_BLANKS = str.maketrans("", "", " \t\n\r")


def statements(module: ModuleSyntax, function: Function) -> Iterator[Statement]:
    """Yield the statements of a body.

    Raises:
        PtxError: if a part of the body is no statement.
    """
    text, position, end = module.text, function.start, function.end
    match = _STATEMENT.match
    while True:
        found = match(text, position, end)
        if found is None:
            if text[position:end].strip():
                raise PtxError(f"line {module.line(position)}: not a statement: {text[position:end].strip()[:60]!r}")
            return
        position = found.end()
        kind = found.lastgroup
        if kind == "operands":
            _, negated, predicate, opcode, operands, *_ = found.groups()
            yield Statement("instruction", opcode, operands, predicate or "", negated or "", found.start("instruction"))
        elif kind == "loc":
            yield Statement("loc", found["loc"], "", "", "", found.start("loc"))
        elif kind == "label":
            yield Statement("label", found["label"], "", "", "", found.start("label"))
        elif kind == "arguments":
            yield Statement("directive", found["directive"], found["arguments"], "", "", found.start("directive"))
        elif kind != "empty":
            yield Statement(str(kind), "", "", "", "", found.end() - 1)


def split_operands(text: str) -> list[str]:
    """Return the operands of an instruction without blanks; commas in braces, brackets and parentheses do not separate.

    Examples:
        >>> split_operands(" {%f1, %f2}, [%rd1+8]")
        ['{%f1,%f2}', '[%rd1+8]']
    """
    text = text.translate(_BLANKS)
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
    """The source locations of a body, from its ``.loc`` statements."""

    def __init__(self) -> None:
        self.current = Location(0, 0)
        self._known: dict[tuple[str, ...], Location] = {}

    def read(self, arguments: str) -> None:
        """Make the place that the arguments of a ``.loc`` describe the current one; arguments that describe none are ignored.

        The caller of an inlined function is a place of an earlier ``.loc``, which may be inlined itself.
        """
        words = arguments.replace(",", " ").split()
        try:
            place = Location(int(words[0]), int(words[1]))
            if "inlined_at" in words:
                at = words.index("inlined_at")
                caller = self._known.get(tuple(words[at + 1 : at + 4]))
                place = place._replace(caller=caller or Location(int(words[at + 1]), int(words[at + 2])))
        except (IndexError, ValueError):
            return
        if not place.line and place.file == self.current.file:  # merged code without a line of its own
            place = place._replace(line=self.current.line)
        self.current = self._known[tuple(words[:3])] = place
