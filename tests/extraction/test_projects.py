"""Kernels as projects write them: names of other modules, enumerations, types of `warp.types`, and structs of one name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SETTINGS = """import enum
import warp as wp

LIMIT = 5


class Options:
    checks = True


class Kind(enum.IntEnum):
    FIRST = enum.auto()
    SECOND = enum.auto()


@wp.struct
class Handle:
    x: wp.array(dtype=float)


@wp.func
def value(handle: Handle, i: int):
    return handle.x[i]
"""

KERNELS = """from typing import Any
import warp as wp
import settings
from warp.types import matrix, vector


@wp.struct
class Handle:
    x: wp.array(dtype=float)
    n: int


@wp.kernel
def asserts(x: wp.array(dtype=float), n: int):
    assert n < settings.LIMIT, "too many"
    assert settings.Options.checks
    assert n == settings.Kind.FIRST
    x[wp.tid()] = 1.0


@wp.kernel
def types(x: wp.array(dtype=float)):
    i = wp.tid()
    m = matrix(shape=(2, 2), dtype=float)
    v = vector(length=2, dtype=float)
    v[0] = x[i]
    m[0, 0] = x[i]
    x[i] = m[0, 0] * v[0]


@wp.kernel
def structs(first: settings.Handle, second: Handle, out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = settings.value(first, i) + second.x[i] * float(second.n)


@wp.kernel
def enumeration(x: wp.array(dtype=float), n: int):
    if n == settings.Kind.SECOND:
        x[wp.tid()] = 1.0


@wp.kernel
def generic(x: wp.array(dtype=Any), y: wp.array(dtype=Any)):
    y[wp.tid()] = x[wp.tid()].missing


wp.overload(generic, [wp.array(dtype=wp.vec3), wp.array(dtype=wp.float32)])
wp.overload(generic, [wp.array(dtype=wp.vec2), wp.array(dtype=wp.float32)])
"""


PROGRAM = """import warp as wp

scale = 2.0

@wp.kernel
def scaled(x: wp.array(dtype=float)):
    x[wp.tid()] = x[wp.tid()] * scale

wp.launch(scaled, 4, inputs=[wp.zeros(4, dtype=float, device="cpu")], device="cpu")
scale = object()
"""


def records(path: Path) -> list[Any]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_kernels_that_projects_write(run: Any, tmp_path: Path) -> None:
    (tmp_path / "settings.py").write_text(SETTINGS)
    (tmp_path / "kernels.py").write_text(KERNELS)
    done = run("extraction", tmp_path / "kernels.py", "-d", "both", "-b", "-o", tmp_path / "pairs.jsonl", expect=1)
    pairs = {pair["metadata"]["kernel_name"]: pair for pair in records(tmp_path / "pairs.jsonl")}
    assert list(pairs) == ["asserts", "types", "structs", "enumeration"]
    assert "FIRST = 1\n    SECOND = 2\n" in pairs["enumeration"]["python_source"]
    assert pairs["structs"]["python_source"].count("@wp.struct") == 2
    rejects = records(tmp_path / "pairs.rejects.jsonl")
    line = KERNELS.splitlines().index("def generic(x: wp.array(dtype=Any), y: wp.array(dtype=Any)):") + 1
    assert [(reject["origin"]["file"], reject["origin"]["line"]) for reject in rejects] == [("kernels.py", line)] * 2
    assert [reject["id"] for reject in rejects] == [
        f"kernels-0-kernels.generic[wp.array(dtype=wp.{dtype}, ndim=1),wp.array(dtype=wp.float32, ndim=1)]"
        for dtype in ("vec2", "vec3")
    ]
    assert f"reject: kernels.py:{line}: kernels-0-kernels.generic[" in done.stderr


def test_rejects_of_a_program_have_a_place(run: Any, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text(PROGRAM)
    run("extraction", "-o", tmp_path / "pairs.jsonl", "--run", tmp_path / "program.py", expect=1)
    (reject,) = records(tmp_path / "pairs.rejects.jsonl")
    assert (reject["origin"]["file"], reject["origin"]["line"]) == ("program.py", 6)


def test_a_module_that_cannot_be_imported_has_the_line_that_failed(run: Any, tmp_path: Path) -> None:
    package = tmp_path / "pack"
    package.mkdir()
    (package / "__init__.py").write_text("import warp as wp\n\n\n@wp.kernel\ndef nothing():\n    pass\n")
    (package / "fails.py").write_text("import warp as wp\n\nimport pxr_that_is_missing\n")
    (package / "wrong.py").write_text("x = 1\ny = (\n")
    run("extraction", "pack", "-o", tmp_path / "pairs.jsonl", expect=1, cwd=tmp_path)
    rejects = records(tmp_path / "pairs.rejects.jsonl")
    places = [(reject["id"], reject["origin"]["file"], reject["origin"]["line"]) for reject in rejects]
    assert places == [("pack-0-pack.fails", "pack/fails.py", 3), ("pack-0-pack.wrong", "pack/wrong.py", 2)]
