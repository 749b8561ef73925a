"""The promise: Python that does more than define kernels when it is loaded is refused, and what kernels need is not."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from warpsmith.core.records.jsonl import Line, decode
from warpsmith.validation.sandbox.allowlist import violation

HEADER = "import math\n\nimport numpy as np\nimport warp as wp\n\n"
KERNEL = "\n\n@wp.kernel\ndef k(x: wp.array(dtype=float)):\n    x[wp.tid()] = 1.0\n"

HOSTILE = """
import os
import subprocess
import sys
import ctypes
import importlib
import builtins
import numpy.ctypeslib
import warp.utils, os
from os import system
from . import kernels
from .. import kernels
from warp import *
from math import *
from typing import sys as math; A = math.exit("a")
from enum import sys as wp; A = wp.types.exit("a")
from numpy import fromfile as max; A = max("a")
from numpy import load as set; A = set("a")
from numpy import ctypeslib as math; math = math.load_library("c", "/"); math.system("a")
from warp import load_module as min; A = min("a")
from warp import config as c; c.enable_backward = False
from types import FunctionType as min; A = min(k.code, {})
import numpy as math; A = math.fromfile("a")
import warp as math; A = math.load_module("a")
import numpy as wp; A = wp.types.fromfile("a")
import enum as math; A = math.sys.exit("a")
__import__("os")
exec("1")
eval("1")
compile("1", "a", "eval")
open("a")
print("a")
input()
breakpoint()
globals()
vars()
setattr(wp, "kernel", None)
getattr(wp, "config")
delattr(wp, "kernel")
type("A", (), {})
A = __builtins__
A = __loader__
A = ().__class__.__bases__
A = ().__class__.__base__.__subclasses__()
A = wp.kernel.__globals__
A = wp._src
A = (lambda: 1)()
A = lambda: 1
A = (B := 1)
A = f"{wp.config}"
A = f"{open('a')}"
A = "{0.config}".format(wp)
A = [open(name) for name in ("a", "b")]
A = {open(name) for name in ("a", "b")}
A = [call("a") for call in (open,)]
A = max(["1"], key=eval)
A = sorted(["1"], key=exec)
A = min("1", "2", key=open)
A = sum([1], start=open("a"))
min = exec; min('1')
min, max = exec, eval; max('1')
[len] = [exec]; len('1')
for len in (exec,): len("1")
min = np.fromfile; min("a")
min: object = np.fromfile; min("a")
[max] = [wp.load_module]; max("a")
for set in (np.load,): set("a")
A = [set("a") for set in (np.load,)]
A = max(["a"], key=np.fromfile)
A = sorted(["a"], **{"key": np.fromfile})
A = [exec][0]("1")
A = {"a": exec}["a"]("1")
A = wp.load_module("a")
A = wp.init()
A = wp.zeros(4)
A = wp.launch(k, 1)
A = wp.set_module_options({"max_unroll": 1})
A = wp.config.enable_backward("a")
wp.config.enable_backward = False
wp.config.kernel_cache_dir += "a"
warp.config.enable_backward = False
for wp.config.enable_backward in (False,): pass
c = wp.config; c.enable_backward = False
m = math; m.pi = 3.0
wp.vec3.x = 1
math = wp; A = math.load_module("a")
np, math = wp, np; A = math.fromfile("a")
A = np.load("a")
A = np.fromfile("a")
A = np.save("a", 1)
A = np.array([1]).tofile("a")
A = np.ctypeslib.load_library("c", "/")
assert open("a")
assert 1, open("a")
del wp
raise SystemExit
global a
"""

HOSTILE_BLOCKS = """
try:
    A = 1
except Exception:
    A = 2
===
with A:
    B = 1
===
async def f():
    pass
===
match A:
    case 1:
        B = 1
===
while open("a"):
    pass
===
if open("a"):
    pass
===
for a in open("a"):
    pass
===
class A:
    B = open("a")
===
class A(open("a")):
    B = 1
===
class A(metaclass=eval("1")):
    B = 1
===
class A(metaclass=eval):
    B = 1
===
class A:
    exec("1")
===
class A:
    def f(self, x=open("a")):
        pass
===
class A:
    wp.config.enable_backward = False
===
def f(x=open("a")):
    pass
===
def f(*, x=open("a")):
    pass
===
def f(x: open("a")):
    pass
===
def f(*x: open("a")):
    pass
===
def f(**x: open("a")):
    pass
===
def f() -> open("a"):
    pass
===
def f(x: "open('a')"):
    pass
===
def f(x: " open('a')"):
    pass
===
@wp.func
def f(x: open("a")):
    return x
===
@wp.func
def f(*x: open("a")):
    return 1
===
@wp.struct
class S:
    x: open("a")
===
@open("a")
def f():
    pass
===
@exec
def f():
    pass
===
def s(f):
    return "open('a', 'w')"
@exec
@s
def f():
    pass
===
@exec
class A:
    pass
===
def s(f):
    return "a"
@np.fromfile
@s
def f():
    pass
===
@wp.load_module
class A:
    pass
===
class A(metaclass=np.fromfile):
    pass
===
def f(max):
    return max("a")
A = f(np.fromfile)
===
def f(x):
    return x
f = np.fromfile
A = f("a")
===
def g(f):
    return f("a")
def f(x):
    return x
A = g(np.fromfile)
===
@wp.kernel(open("a"))
def f():
    pass
===
@wp.kernel(module=open("a"))
def f():
    pass
===
@wp.func
def f():
    import os
f()
===
@wp.func
def f():
    open("a")
A = f()
===
@wp.func
def f():
    open("a")
A = [f() for _ in range(1)]
===
def f():
    import os
A = f()
===
def f():
    return open("a")
A = f()
===
def f(call):
    return call("a")
A = f(open)
===
def f(min):
    return min("a")
A = f(open)
===
def f():
    global math
    math = wp
===
def f():
    yield open("a")
===
class wp:
    def kernel(f):
        return f
@wp.kernel
def f():
    import os
f()
===
def min(x):
    return x
@wp.kernel
def f():
    def exec(): pass
exec("1")
===
class A:
    def eval(self):
        return 1
eval("1")
===
@wp.func
def f():
    def open(): pass
open("a", "w")
===
@wp.func
def f(x: float):
    return wp.static(open("a"))
===
@wp.func
def f(x: float):
    return warp.static(open("a"))
===
s = wp.static
@wp.func
def f(x: float):
    return s(open("a"))
===
from warp import static
@wp.func
def f(x: float):
    return static(open("a"))
===
import warp as w
@wp.func
def f(x: float):
    return w.static(open("a"))
===
@wp.func
def f():
    open("a")
@wp.func
def g(x: float):
    return wp.static(f())
===
@wp.func
def f(x: float):
    return wp.static(max("1", key=exec))
===
@wp.func
def f(x: float):
    return wp.static(x=open("a"))
===
A = 1
A.b.c = open("a")
===
A: open("a") = 1
===
A: int = open("a")
===
A += open("a")
===
if True:
    import os
===
for _ in range(1):
    import os
===
class A:
    import os
"""

BENIGN = """
LIMIT = 4
LIMIT: int = 4
WIDTHS = (1, 2, 3)
HALF = math.pi / 2.0
ROOT = math.sqrt(2.0)
SCALE = wp.constant(2.5)
ONE = wp.constant(wp.vec3(1.0, 2.0, 3.0))
vec5 = wp.types.vector(length=5, dtype=float)
mat23 = wp.types.matrix(shape=(2, 3), dtype=wp.float32)
EPSILON = np.float32(0.25)
TABLE = np.array([1.0, 2.0], dtype=np.float32)
SQUARES = [number * number for number in range(4)]
MOST = max(1, 2)
from typing import Any
from enum import IntEnum
import enum
import typing
import warp.types
import warp
"""

BENIGN_BLOCKS = '''
class Mode(enum.IntEnum):
    OFF = 0
    ON = 1
===
@wp.struct
class Body:
    """A body."""

    position: wp.vec3
    mass: float
    values: wp.array(dtype=float)
===
@wp.func
def f(x: float):
    return x + 1.0
===
@wp.func
def f(x: wp.array(dtype=wp.vec3), y: wp.array2d(dtype=float), z: "wp.vec3") -> wp.vec3:
    return x[0]
===
@wp.func
def cube(x: float):
    return x * x * x
@wp.func_grad(cube)
def adj_cube(x: float, adj_ret: float):
    wp.adjoint[x] += 3.0 * x * x * adj_ret
@wp.func_replay(cube)
def replay_cube(x: float):
    return x
===
SNIPPET = "out[tid] = x[tid];"
@wp.func_native(SNIPPET, adj_snippet="")
def copied(x: wp.array(dtype=float), out: wp.array(dtype=float), tid: int): ...
===
@wp.kernel(enable_backward=False, module="unique")
def other(x: wp.array(dtype=float)):
    print(x[0])
===
@wp.kernel
def generic(x: wp.array(dtype=Any)):
    x[0] = x[1]
wp.overload(generic, [wp.array(dtype=float)])
===
def squares(count):
    return [number * number for number in range(count)]
A = squares(3)
@wp.func
def f(x: float):
    return x * float(wp.static(squares(3)[1]))
===
@wp.func
def f(x: float):
    for i in range(wp.static(2 + 2)):
        x += float(i)
    return x
===
if True:
    COUNT = 1
else:
    COUNT = 2
'''


def blocks(text: str) -> list[str]:
    return [block.strip("\n") + "\n" for block in text.split("===\n")]


@pytest.mark.parametrize("source", [*HOSTILE.strip().splitlines(), *blocks(HOSTILE_BLOCKS)])
def test_hostile_python_is_refused(source: str) -> None:
    reason = violation(ast.parse(HEADER + source + KERNEL))
    assert reason
    assert reason.startswith("line ")


@pytest.mark.parametrize("source", [*BENIGN.strip().splitlines(), *blocks(BENIGN_BLOCKS)])
def test_source_that_kernels_need_is_allowed(source: str) -> None:
    assert violation(ast.parse(HEADER + "import enum\nfrom typing import Any\n" + source + KERNEL)) is None


def test_every_pair_of_a_dataset_is_allowed(lines: list[Line]) -> None:
    assert [violation(ast.parse(json.loads(line.raw)["python_source"])) for line in lines] == [None] * 200


def test_source_extracted_from_real_code_is_allowed(run: Any, root: Path, tmp_path: Path) -> None:
    folder = root / "tests" / "extraction"
    run("extraction", folder / "kernels.py", "-d", "cuda", "-b", "-o", tmp_path / "real.jsonl", cwd=folder, expect=None)
    records = [json.loads(line) for line in (tmp_path / "real.jsonl").read_text().splitlines()]
    assert len(records) > 10
    complaints = {record["id"]: violation(ast.parse(record["python_source"])) for record in records}
    assert {identity: reason for identity, reason in complaints.items() if reason} == {}


@pytest.mark.parametrize(
    "source",
    [
        "A = '\0'\n",
        "\ufeffimport os\n",
        "A = " + 5_000 * "(" + "1" + 5_000 * ")" + "\n",
        "A = " + 50_000 * "-" + "1\n",
        "A = " + " + ".join(["1"] * 50_000) + "\n",
        "if 1:\n    pass\n" + 5_000 * "elif 1:\n    pass\n",
        "A = 1\n" + 200 * "if A:\n" + "    pass\n",
        "A = [" + 5_000 * "[" + "\n",
        "\x0cimport os\n",
        "# coding: utf-7\nimport os\n",
        "import o\u017f\n",
        "import \U0001d428\U0001d42c\n",
    ],
    ids=["null byte", "byte order mark", "brackets", "signs", "sum", "elif", "indentation", "open brackets", "form feed",
         "coding", "long s", "mathematical letters"],
)  # fmt: skip
def test_sources_meant_for_the_parser_are_refused(
    lines: list[Line], change_line: Any, source: str, check_in_worker: Any
) -> None:
    line = change_line(lines[0], lambda record: record.update(python_source=source + record["python_source"]))
    (verdict,) = check_in_worker([line], "parse")
    assert verdict.status == "fail"
    assert "died" not in verdict.reason


def test_a_lone_surrogate_never_becomes_python(lines: list[Line]) -> None:
    raw = lines[0].raw.replace(b'"python_source":"', b'"python_source":"\\ud800')
    line = decode(raw, lines[0].path, 1)
    assert line.pair is None
    assert "not JSON" in (line.error or "")
