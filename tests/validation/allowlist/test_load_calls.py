"""Loading a file calls nothing of Warp that takes text, and nothing with arguments beyond a table."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest
import warp as wp
import warp.fem
import warp.sparse
import warp.utils

from warpsmith.extraction.warp.private import warp_codegen, warp_context
from warpsmith.validation.allowlist.kernel_file import source_violation, violation
from warpsmith.validation.allowlist.load_calls import arguments_of

HEADER = (
    "import enum\nimport math\nimport typing\nfrom types import SimpleNamespace\n\nimport numpy as np\nimport warp as wp\n\n"
)
KERNEL = "\n\n@wp.kernel\ndef k(x: wp.array(dtype=float)):\n    x[wp.tid()] = 1.0\n"
MODULES: dict[str, ModuleType] = {
    "warp": wp, "warp.types": wp.types, "warp.fem": warp.fem, "warp.sparse": warp.sparse, "warp.utils": warp.utils,
}  # fmt: skip


def refusal(statements: str) -> str | None:
    source = f"{HEADER}{statements}{KERNEL}"
    return source_violation(source, ast.parse(source))


def callables(module: str) -> Iterator[tuple[str, Any]]:
    """Yield the public names of a module whose values can be called."""
    for name in dir(MODULES[module]):
        value = getattr(MODULES[module], name)
        if not name.startswith("_") and callable(value):
            yield name, value


LISTED = [(module, name, value) for module in MODULES for name, value in callables(module) if arguments_of(module, name)]


@pytest.mark.parametrize("module", MODULES)
def test_a_callable_that_is_not_listed_is_refused(module: str) -> None:
    names = [name for name, _ in callables(module) if arguments_of(module, name) is None]
    assert len(names) > 3
    accepted = [name for name in names if refusal(f"import {module}\nA = {module}.{name}()") is None]
    assert accepted == []


def test_what_is_listed_is_of_warp() -> None:
    assert len(LISTED) > 150
    listed = {name for _, name, _ in LISTED}
    assert {"vec3", "constant", "float32", "types", "vector"} - listed == {"types"}
    assert not listed & {"Function", "Kernel", "Module", "Mesh", "func_native", "static", "struct", "Volume", "launch", "map"}


ALIKE = {(module, arguments_of(module, name)): name for module, name, _ in LISTED}
"""One call for each module and set of arguments."""


@pytest.mark.parametrize(("module", "name"), [(module, name) for (module, _), name in ALIKE.items()])
def test_arguments_beyond_the_table_are_refused(module: str, name: str) -> None:
    expected = arguments_of(module, name)
    assert expected is not None
    call = f"import {module}\nB = (1, 2)\nA = {module}.{name}"
    assert refusal(f"{call}({', '.join(['1'] * (expected.positional + 1))})")
    for arguments in ("native_func=1", "ptr=1", "device=1", "*B", "**dict(a=1)", "1, *B", "key=1"):
        assert refusal(f"{call}({arguments})"), arguments
    for text in ("'%d'", "'a'", "b'a'", "str(1)", "['a']", "B if 1 else 'a'", "SimpleNamespace(a='b')"):
        assert refusal(f"{call}({text})"), text


def test_no_argument_of_the_table_is_a_text() -> None:
    for module, name, value in LISTED:
        if name == "overload":  # its texts are types, which have a grammar
            continue
        expected = arguments_of(module, name)
        assert expected is not None
        assert expected.keywords is not None
        parameters = inspect.signature(value).parameters if inspect.isfunction(value) else {}
        texts = {one.name for one in parameters.values() if re.search(r"\bstr\b", str(one.annotation))}
        function = warp_context.builtin_functions.get(name)
        for overload in getattr(function, "overloads", None) or ([function] if function else []):
            texts |= {parameter for parameter, type_ in overload.input_types.items() if type_ is str}
        assert not texts & expected.keywords, name


TEXTS = [
    "T = 'a'\nA = wp.float32(T)",
    "T, _ = 'a', 1\nA = wp.float32(T)",
    "T: str = 'a'\nA = wp.float32(T)",
    "T = 1\nT += 'a'\nA = wp.float32(T)",
    "T = ('a', 1)[0]\nA = wp.float32(T)",
    "T = ['a']\nfor t in T:\n    A = wp.float32(t)",
    "A = [wp.float32(t) for t in ['a']]",
    "T = {'a': 1}\nA = [wp.float32(t) for t in T]",
    "def f(t):\n    return wp.float32(t)\nA = f('a')",
    "def f(t='a'):\n    return wp.float32(t)\nA = f()",
    "def f():\n    return 'a'\nA = wp.float32(f())",
    "def f(t):\n    return t\nA = wp.float32(f('a'))",
    "def f(t):\n    def g():\n        return wp.float32(t)\n    return g\nA = f('a')",
    "class T:\n    a = 'a'\nA = wp.float32(T.a)",
    "class T(enum.Enum):\n    a = 'a'\nA = wp.float32(T.a.value)",
    "class T(enum.Enum):\n    a = 1\nA = wp.float32(T.a.name)",
    "T = SimpleNamespace(a='a')\nA = wp.float32(T.a)",
    "T = str(1)\nA = wp.float32(T)",
    "T = sorted(str(1))[0]\nA = wp.float32(T)",
    "A = wp.float32(np.float32(1).dtype.name)",
    "A = wp.float32(np.array(['a'])[0])",
    "A = wp.constant('a')",
    "A = wp.types.vector(length=3, dtype='a')",
    "A = wp.types.vector(length=3, dtype=float)('a')",
    "S = 'return x; }'\n@wp.func_native(S)\ndef f(x: float) -> float: ...\nA = wp.float32(S)",
    "T = 'a'\n@wp.func\ndef f(x: float):\n    return x * float(wp.static(wp.float32(T)))",
    "@wp.func\ndef f(x: float):\n    return x * float(wp.static(wp.int64('a')))",
    "@wp.struct\nclass S:\n    a: float\nT = 'a'\nA = S(T)",
]


@pytest.mark.parametrize("statements", TEXTS)
def test_text_does_not_reach_warp(statements: str) -> None:
    assert "a text as an argument" in (refusal(statements) or "")


def test_warp_writes_the_text_of_a_number() -> None:
    """Other checks of Warp stop such a number at present; the rule does not depend on them."""
    assert warp_codegen.constant_str(wp.float32("1.0; deed()")) == "1.0; deed()"


@pytest.mark.parametrize(
    "statements",
    [
        "T = 'a'\nA = wp.float32(len(T))",
        "T = 'sum'\nA = wp.float32(1.0) if T == 'sum' else wp.float32(2.0)",
        "T = 'a'\nB = 2.0\nA = wp.constant(B)",
        "T = 'a'\ndef f(t):\n    return wp.float32(t)\nA = f(1.0)",
        "class T(enum.IntEnum):\n    a = 1\nA = wp.int32(T.a)",
        "class T(enum.IntEnum):\n    a = 1\nA = T(1)",
        "@wp.struct\nclass S:\n    a: float\nA = S()",
        "A = wp.transform(wp.vec3(), wp.quat_identity(dtype=float))",
        "A = wp.matrix_from_rows(wp.vec3(1.0, 2.0, 3.0), wp.vec3(), wp.vec3())",
        "A = wp.identity(n=3, dtype=float)",
        "A = max([1, 2], default=3)",
    ],
)
def test_values_that_are_no_text_are_allowed(statements: str) -> None:
    assert refusal(statements) is None


@pytest.mark.parametrize(
    "statements",
    [
        "A = enum.Enum('A', 'b c')",
        "A = enum.IntEnum('A', {'b': 1})",
        "class T(enum.Enum):\n    pass\nA = T('A', {'b': (1,)}, type=wp.Function)",
        "class T(enum.Enum):\n    pass\nA = T('A', 'b c')",
        "from enum import Enum\nA = Enum('A', 'b c')",
        "A = wp.Function(None, 'deed', 'wp::', dict(a=float), float, native_func='sin')",
        "A = wp.types.Function(None, 'deed', 'wp::')",
        "import warp as other\nA = other.Function(None, 'deed', 'wp::')",
        "import warp as other\nother.overload(k, ['deed()'])",
        "F = wp.Function\nA = F(None, 'deed', 'wp::')",
        "A = [wp.Function][0](None)",
        "class T:\n    f = wp.Function\nA = T.f(None)",
        "T = SimpleNamespace(f=wp.Function)\nA = T.f(None)",
        "def f(g):\n    return g(None)\nA = f(wp.Function)",
        "A = wp.func(k)",
        "A = wp.Kernel(k)",
        "A = wp.Module('a', None)",
        "A = wp.array(ptr=4096, shape=8, dtype=float)",
        "A = np.array([1], like=2)",
        "A = max(*[1, 2])",
        "def f(a, b):\n    return a\nA = f(*(1, 2))",
        "def f(a, b):\n    return a\nA = f(**dict(a=1, b=2))",
        "@wp.func\ndef f(x: float):\n    return x * wp.static(max(*(1, 2)))",
    ],
)
def test_other_ways_to_call_are_refused(statements: str) -> None:
    assert refusal(statements)


@pytest.mark.parametrize("text", ["<%", "%>", "<:", ":>", "%:", "%:%:", "??<", "a %> b"])
def test_other_spellings_of_brackets_are_not_plain(text: str) -> None:
    assert "is not plain" in (refusal(f"@wp.func\ndef f(x: float):\n    print('{text}')\n    return x") or "")


@pytest.mark.parametrize("definition", ["def deed(x: float):\n    return x", "class Deed:\n    pass"])
def test_type_parameters_are_refused(definition: str) -> None:
    tree = ast.parse(definition)
    tree.body[0].type_params = [ast.Name("T")]  # type: ignore[attr-defined]  # as from Python 3.12 on
    assert "type parameters" in (violation(tree) or "")
