"""Native functions: their C++ snippets, read as statements of the kernel's language where both mean the same.

Supported are declarations, assignments and ``return`` of arithmetic on numbers of one type. Everything else is unsupported.
"""

from __future__ import annotations

import ast
import re

from warpsmith.validation.oracle.values.interpretation_errors import Unsupported

_WORD = re.compile(
    r"\s*(?:(?P<number>(?:\d+\.\d*|\.\d+|\d+)(?:[eE][+-]?\d+)?f?)|(?P<name>[A-Za-z_]\w*)"
    r"|(?P<operator><<=|>>=|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%&|^~!<>=?:;,()]))"
)
_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_DECLARATION = frozenset({"float", "int"})
_LEVELS: tuple[dict[str, type[ast.operator]], ...] = (
    {"|": ast.BitOr},
    {"^": ast.BitXor},
    {"&": ast.BitAnd},
    {},  # comparisons for equality
    {},  # comparisons of order
    {"<<": ast.LShift, ">>": ast.RShift},
    {"+": ast.Add, "-": ast.Sub},
    {"*": ast.Mult, "/": ast.Div, "%": ast.Mod},
)
"""The operators of C++ by their precedence, from the weakest to the strongest."""

_COMPARISONS: dict[int, dict[str, type[ast.cmpop]]] = {
    3: {"==": ast.Eq, "!=": ast.NotEq},
    4: {"<": ast.Lt, "<=": ast.LtE, ">": ast.Gt, ">=": ast.GtE},
}
_DEEPEST = 50


def native_body(snippet: str) -> list[ast.stmt]:
    """Return the statements of a snippet.

    Raises:
        Unsupported: for C++ that is more than arithmetic.
    """
    return _Parser(_words(_COMMENT.sub(" ", snippet))).statements()


def _words(text: str) -> list[str]:
    words, place = [], 0
    while text[place:].strip():
        match = _WORD.match(text, place)
        if match is None:
            raise Unsupported(f"the native code {text[place:].strip()[:20]!r}")
        words.append(match[0].strip())
        place = match.end()
    return words


class _Parser:
    """Reads words by recursive descent."""

    def __init__(self, words: list[str]) -> None:
        self.words, self.place, self.depth = [*words, ""], 0, 0

    def statements(self) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        while self._next():
            found.append(self._statement())
        return found

    def _next(self) -> str:
        return self.words[self.place]

    def _take(self, *expected: str) -> str:
        word = self._next()
        if expected and word not in expected:
            raise Unsupported(f"the native code {word!r} instead of {' or '.join(expected)!r}")
        self.place += 1
        return word

    def _name(self) -> str:
        name = self._take()
        if not name.isidentifier():
            raise Unsupported(f"the native code {name!r} instead of a name")
        return name

    def _statement(self) -> ast.stmt:
        if self._next() == "return":
            self._take()
            statement: ast.stmt = ast.Return(self._expression())
        elif self._next() in (*_DECLARATION, "const"):
            statement = self._declaration()
        else:
            statement = self._assignment()
        self._take(";")
        return statement

    def _declaration(self) -> ast.stmt:
        if self._next() == "const":
            self._take()
        kind = self._take(*_DECLARATION)
        target = ast.Name(self._name(), ast.Store())
        self._take("=")
        value = self._expression()  # the same type, or the store converts it
        return ast.Assign([target], ast.Call(ast.Name(kind, ast.Load()), [value], []))

    def _assignment(self) -> ast.stmt:
        target = ast.Name(self._name(), ast.Store())
        operator = self._take("=", *(f"{sign}=" for level in _LEVELS for sign in level))
        if operator == "=":
            return ast.Assign([target], self._expression())
        (kind,) = (level[operator[:-1]] for level in _LEVELS if operator[:-1] in level)
        return ast.AugAssign(target, kind(), self._expression())

    def _expression(self) -> ast.expr:
        self.depth += 1
        if self.depth > _DEEPEST:
            raise Unsupported("native code with too many brackets")
        value = self._binary(0)
        if self._next() in ("&&", "||"):
            raise Unsupported(f"the native code {self._next()!r}")
        if self._next() == "?":
            self._take()
            then = self._expression()
            self._take(":")
            value = ast.IfExp(value, then, self._expression())
        self.depth -= 1
        return value

    def _binary(self, level: int) -> ast.expr:
        if level == len(_LEVELS):
            return self._unary()
        left = self._binary(level + 1)
        while self._next() in (*_LEVELS[level], *_COMPARISONS.get(level, {})):
            sign = self._take()
            right = self._binary(level + 1)
            if level in _COMPARISONS:
                left = ast.Compare(left, [_COMPARISONS[level][sign]()], [right])
            else:
                left = ast.BinOp(left, _LEVELS[level][sign](), right)
        return left

    def _unary(self) -> ast.expr:
        word = self._take()
        if word == "(":
            value = self._expression()
            self._take(")")
            return value
        if word in ("-", "~"):
            return ast.UnaryOp(ast.USub() if word == "-" else ast.Invert(), self._unary())
        if word and (word[0].isdigit() or word[0] == "."):
            return ast.Constant(_number(word))
        if word.isidentifier() and self._next() != "(":
            return ast.Name(word, ast.Load())
        raise Unsupported(f"the native code {word!r}")


def _number(word: str) -> int | float:
    if word.isdigit():
        if len(word) > 1 and word[0] == "0":
            raise Unsupported("an octal number of native code")
        return int(word)
    if not word.endswith("f"):
        raise Unsupported(f"the number {word} of double precision in native code")
    return float(word[:-1])
