"""Strategies of Hypothesis that edit good sources by the grammar of Python, with parts that create a file if they ever run."""

from __future__ import annotations

import ast
import os
import resource
import sys
from collections.abc import Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from warpsmith.extraction.codegen.extract import extract_ir
from warpsmith.extraction.targets.loading import loaded_kernel

SECONDS = 20
"""The time that loading a source may take."""

HIDDEN = "\f\v\r\x1c\x1d\x1e\x85\u2028\u2029\0"
"""Characters that end a line for some readers."""

MARKER = "MARKER"
"""The place of the path in a deed."""

DEEDS = ("open('MARKER', 'w')", "__import__('os').mkdir('MARKER')", "eval(\"open('MARKER', 'w')\")", "wp.os.mkdir('MARKER')",
         "wp.config.os.mkdir('MARKER')", "enum.sys.modules['os'].mkdir('MARKER')", "wp.types.builtins.open('MARKER', 'w')",
         "wp.utils.subprocess.run(['mkdir', 'MARKER'])", "math.__loader__.__class__.__init__.__globals__['sys'].modules['os'].mkdir('MARKER')",
         "np.zeros(3).tofile('MARKER')", "np.array([1.0, 2.0]).dump('MARKER')", "np.memmap('MARKER', mode='w+', shape=(3,))",
         "wp.build.shutil.os.mkdir('MARKER')", "typing.sys.modules['os'].mkdir('MARKER')", "types.FunctionType")  # fmt: skip
"""Expressions that create the file where they can."""

NAMES = ("wp", "warp", "np", "math", "typing", "types", "enum", "x", "y", "i", "K", "S", "f", "deed", "float", "int", "len", "max", "sorted",
         "tuple", "list", "dict", "type", "object", "open", "eval", "getattr", "SimpleNamespace", "static", "Any", "_")  # fmt: skip
ATTRIBUTES = ("static", "constant", "func", "kernel", "struct", "func_native", "overload", "array", "vec3", "float32", "types", "config", "os",
              "sys", "modules", "open", "mkdir", "Enum", "sort", "apply", "x", "y", "shape", "dtype", "name", "value", "key", "__class__",
              "__init__", "__globals__", "__dict__", "_x", "context", "codegen", "get_module", "launch", "load", "vector", "f")  # fmt: skip
METHODS = ("__init__", "__getitem__", "__class_getitem__", "__iter__", "__init_subclass__", "__repr__", "__str__", "__hash__", "__eq__",
           "__call__", "__set_name__", "__get__", "__getattr__", "__index__", "__bool__", "__add__", "_missing_", "__mro_entries__",
           "__prepare__", "__del__", "__len__", "__contains__", "__enter__", "ordinary")  # fmt: skip


def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _in_string(text: str) -> list[ast.expr]:
    """Return strings whose evaluation runs ``text``, as constants and joined from parts."""
    half = len(text) // 2
    return [
        ast.Constant(text),
        ast.BinOp(ast.Constant(text[:half]), ast.Add(), ast.Constant(text[half:])),
        ast.JoinedStr([ast.Constant(text)]),
        ast.JoinedStr([ast.FormattedValue(_parsed(text), -1)]),
        ast.BinOp(ast.Constant("%s"), ast.Mod(), _parsed(text)),
    ]


_DEEDS = [_parsed(deed) for deed in DEEDS]
_ATOMS = st.one_of(
    st.sampled_from(_DEEDS),
    st.sampled_from([part for deed in DEEDS for part in _in_string(deed)]),
    st.sampled_from(NAMES).map(lambda name: ast.Name(name, ast.Load())),
    st.sampled_from((0, 1, 3, 2.0, None, True, "float", "wp.vec3", "x", "S")).map(ast.Constant),
    st.sampled_from(("wp.array(dtype=float)", "wp.vec3", "wp.constant(3)", "wp.types.vector(length=3, dtype=float)")).map(_parsed),
)  # fmt: skip


def _composed(inner: st.SearchStrategy[ast.expr]) -> st.SearchStrategy[ast.expr]:
    keywords = st.lists(
        st.builds(ast.keyword, st.sampled_from(("dtype", "key", "name", "ndim", "default", None)), inner), max_size=1
    )
    arguments = st.lists(inner, max_size=2)
    return st.one_of(
        st.builds(ast.Call, inner, arguments, keywords),
        st.builds(lambda value, name: ast.Attribute(value, name, ast.Load()), inner, st.sampled_from(ATTRIBUTES)),
        st.builds(lambda value, index: ast.Subscript(value, index, ast.Load()), inner, inner),
        st.builds(ast.BinOp, inner, st.sampled_from((ast.Add(), ast.Mult(), ast.BitOr(), ast.Mod())), inner),
        st.builds(ast.IfExp, inner, inner, inner),
        st.builds(lambda one, two: ast.BoolOp(ast.Or(), [one, two]), inner, inner),
        st.builds(lambda values: ast.Tuple(values, ast.Load()), arguments),
        st.builds(lambda values: ast.List(values, ast.Load()), arguments),
        st.builds(lambda key, value: ast.Dict([key], [value]), inner, inner),
        st.builds(lambda value: ast.Lambda(_parsed("lambda *_: 0").args, value), inner),  # type: ignore[attr-defined]
        st.builds(lambda value: ast.NamedExpr(ast.Name("deed", ast.Store()), value), inner),
        st.builds(lambda value, source: ast.ListComp(value, [ast.comprehension(ast.Name("i", ast.Store()), source, [], 0)]), inner, inner),
        st.builds(lambda value: _parsed_call("wp.static", value), inner),
        st.builds(lambda value: _parsed_call("wp.constant", value), inner),
    )  # fmt: skip


def _parsed_call(function: str, value: ast.expr) -> ast.expr:
    return ast.Call(_parsed(function), [value], [])


expressions = st.one_of(st.sampled_from(_DEEDS), st.recursive(_ATOMS, _composed, max_leaves=4))


def _text(tree: ast.AST) -> str:
    """Return a tree as text, or an empty text if the tree is no Python."""
    try:
        return ast.unparse(ast.fix_missing_locations(tree))
    except (ValueError, AttributeError, TypeError, RecursionError):
        return ""


TEMPLATES = (
    "X = {0}",
    "X: {0} = {1}",
    "X = {0}\ndef f(y: X):\n    return y",
    "{0}",
    "assert {0}",
    "for i in {0}:\n    {1}",
    "while {0}:\n    break",
    "with {0}:\n    pass",
    "try:\n    {0}\nexcept {1}:\n    pass",
    "import {module}",
    "import {module} as {name}",
    "from {module} import {name}",
    "from {module} import {name} as {other}",
    "def {method}(y: {0} = {1}) -> {0}:\n    {1}\n    return y",
    "@{0}\ndef f(y: {1}):\n    return y",
    "@wp.func\ndef f(y: {0}) -> {1}:\n    return y",
    "@wp.func\ndef f(y: float = {0}):\n    return {1}",
    "@wp.kernel(enable_backward={0})\ndef k(y: wp.array(dtype={1})):\n    y[0] = 1.0",
    "@wp.struct\nclass S:\n    a: {0}\n    b: {1} = {0}",
    "@wp.struct\nclass S:\n    a: float\n    {0}",
    "class S({0}):\n    a = {1}",
    "class S(metaclass={0}):\n    pass",
    "class S:\n    def {method}(self, *_):\n        return {0}\nX = S{use}",
    "class S:\n    @wp.func\n    def {method}(self, *_: {1}):\n        return {0}\nX = S{use}",
    "class S(enum.Enum):\n    @wp.func\n    def {method}(self, *_):\n        return {0}\n    A = {1}",
    "from enum import Enum\nclass S(Enum):\n    A = {0}\n    {1}",
    "@wp.func_native(snippet={0})\ndef f(y: float): ...",
    "@wp.func_grad({0})\ndef g(y: float, adj: float):\n    {1}",
    "@wp.func_replay({0})\ndef g(y: float):\n    pass",
    "wp.overload({0}, {1})",
    "wp.overload({name}, [{0}, {1}])",
    "{name} = {0}",
    "{name}.{attribute} = {0}",
    "{name}[0] = {0}",
    "{name} += {0}",
    "def f():\n    return {0}\nX = f()",
    "lambda: {0}",
    "del {name}",
    "global {name}",
    "async def f():\n    await {0}",
    "match {0}:\n    case S():\n        {1}",
)
"""Statements; a number is the place of an expression."""

MODULES = ("warp", "warp.types", "warp.config", "warp.utils", "numpy", "math", "typing", "types", "enum", "os", "sys", "builtins", "subprocess",
           "warp.context", "numpy.lib.npyio", "importlib", "__future__")  # fmt: skip
USES = ("()", "[0]", "", "(1)", " + 1", "().x", " == 1", "[wp.vec3]", "()()")


@st.composite
def statements(draw: st.DrawFn) -> list[ast.stmt]:
    """Return the statements of a template, with drawn names and expressions."""
    template = draw(st.sampled_from(TEMPLATES))
    values = [_text(draw(expressions)) for _ in range(2)]
    for place, choices in (("{module}", MODULES), ("{name}", (*NAMES, *ATTRIBUTES)), ("{other}", NAMES), ("{method}", METHODS),
                           ("{use}", USES), ("{attribute}", ATTRIBUTES)):  # fmt: skip
        if place in template:
            template = template.replace(place, draw(st.sampled_from(choices)))
    text = template.replace("{0}", values[0]).replace("{1}", values[1])
    try:
        return ast.parse(text).body
    except (SyntaxError, ValueError):
        return []


@dataclass(frozen=True)
class _Place:
    """A field of a node that holds an expression or a list of them, or a list of statements."""

    node: ast.AST
    field: str


def _places(tree: ast.AST) -> Iterator[_Place]:
    for node in ast.walk(tree):
        for field in node._fields:
            present = getattr(node, field, None)
            optional = field in ("annotation", "returns", "value") and present is None and not isinstance(node, ast.Constant)
            if isinstance(present, ast.expr | list) or optional:
                yield _Place(node, field)


def _drawn(draw: st.DrawFn) -> ast.expr:
    """Return an expression that no other tree contains: later edits change it."""
    return deepcopy(draw(expressions))


def _edit(draw: st.DrawFn, tree: ast.Module) -> None:
    if draw(st.booleans()):
        at = draw(st.integers(0, len(tree.body)))
        tree.body[at:at] = draw(statements())
        return
    place = draw(st.sampled_from(list(_places(tree))))
    present: Any = getattr(place.node, place.field)
    if not isinstance(present, list):
        setattr(place.node, place.field, _drawn(draw))
    elif place.field in ("body", "orelse", "finalbody"):
        at = draw(st.integers(0, len(present)))
        present[at:at] = draw(statements())
    elif place.field in ("decorator_list", "bases", "elts", "args", "defaults", "values") and not isinstance(
        place.node, ast.arguments
    ):
        at = draw(st.integers(0, len(present)))
        present[at : at + draw(st.integers(0, 1))] = [_drawn(draw)]
    elif place.field == "keywords":
        present.append(ast.keyword(draw(st.sampled_from(("dtype", "key", "name", "metaclass", None))), _drawn(draw)))


def _text_edit(draw: st.DrawFn, source: str) -> str:
    """Return a source with a line that some readers see, in a comment or a string."""
    lines = source.split("\n")
    at = draw(st.integers(0, len(lines)))
    hidden, deed = draw(st.sampled_from(HIDDEN)), draw(st.sampled_from(DEEDS))
    line = draw(
        st.sampled_from(("# a comment{0}{1}", "    # a comment{0}    a = wp.static({1})", "'''a{0}{1}'''", "X = 'a{0}{1}'"))
    )
    return "\n".join([*lines[:at], line.format(hidden, deed), *lines[at:]])


@st.composite
def edited_sources(draw: st.DrawFn, good: Sequence[str], marker: Path) -> str:
    """Return good sources after up to three edits.

    Args:
        draw: the function that Hypothesis passes.
        good: the sources before the edits.
        marker: the path that a part creates if it runs.
    """
    tree = deepcopy(ast.parse(draw(st.sampled_from(good))))
    for _ in range(draw(st.integers(1, 3))):
        _edit(draw, tree)
    source = _text(tree)
    if draw(st.integers(0, 4)) == 3:
        source = _text_edit(draw, source)
    return source.replace(MARKER, str(marker))


def load(source: str, name: str, current: Path) -> None:
    """Load a kernel and generate its code in a fork of this process that has no sandbox, whose current folder is ``current``."""
    process = os.fork()
    if process == 0:
        try:
            _load(source, name, current)
        finally:
            os._exit(0)
    os.waitpid(process, 0)


def _load(source: str, name: str, current: Path) -> None:
    os.chdir(current)
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    silent = os.open(os.devnull, os.O_WRONLY)
    for stream in (1, 2):
        os.dup2(silent, stream)
    sys.setrecursionlimit(1_000)
    try:
        with loaded_kernel(source, name) as kernel:
            extract_ir(kernel, "both", include_backward=True)
    except BaseException:  # noqa: BLE001 - the source may raise anything
        return
