"""The memory that `warpsmith-extract` takes for the kernels of a package, beyond what its import takes."""

from __future__ import annotations

import gc
import importlib.util
import os
import platform
import subprocess
import sys
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from warpsmith.core.records.pair import Pair
from warpsmith.extraction.accelerate import accelerated
from warpsmith.extraction.harvest import harvest
from warpsmith.extraction.targets.importing import import_target
from warpsmith.extraction.warp import linked
from warpsmith.extraction.warp.private import warp_build

BOUND = 200.0
"""MB for 2,000 kernels."""

MEASURE = """import sys
from pathlib import Path
from warpsmith.extraction.accelerate import accelerated
from warpsmith.extraction.harvest import harvest
from warpsmith.extraction.targets.importing import import_target
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.pair import Pair

def megabytes(name):
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith(name)) / 1024

target = import_target(sys.argv[1])
imported = megabytes("VmRSS")
Path("/proc/self/clear_refs").write_text("5")  # the peak is measured from here
with accelerated(True):
    pairs = [isinstance(result, Pair) and bool(encode(result)) for result in harvest(target, "both", True)]
print(sum(pairs), megabytes("VmHWM") - imported)
"""

FREE_BLOCKS = """import sys
from pathlib import Path
from warpsmith.extraction.harvest import harvest
from warpsmith.extraction.targets.importing import import_target

def megabytes():
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmRSS")) / 1024

list(harvest(import_target(sys.argv[1]), "both", True))
bytes(range(256)) * 100_000  # from now on, blocks of up to 25 MB are parts of one heap, if the C library decides
before = megabytes()
blocks = [bytes(range(256)) * 4_000 for _ in range(100)]
full, blocks = megabytes(), blocks[-1:]  # the last one keeps the heap from shrinking
print(full - before, megabytes() - before)
"""

DROPPED = ("Adjoint", "Function", "Module", "Struct", "FunctionDef")
"""Classes of Warp, and of syntax, whose objects take most of the memory of a kernel."""

CLOSURES = """from typing import Any
import warp as wp


def factory(number):
    scale = wp.constant(float(number))

    @wp.func
    def scaled(x: float):
        return scale * x

    @wp.kernel(module="unique")
    def closure(x: wp.array(dtype=float), y: wp.array(dtype=float)):
        i = wp.tid()
        total = float(0.0)
        for j in range(8):
            total += wp.sin(scaled(x[i + j])) + wp.float(wp.static(number))
        y[i] = total

    @wp.kernel
    def generic(x: wp.array(dtype=Any), y: wp.array(dtype=Any)):
        i = wp.tid()
        y[i] = x[i] * x[i] + type(x[i])(wp.static(number))

    for dtype in (wp.float32, wp.float64, wp.float16):
        wp.overload(generic, [wp.array(dtype=dtype), wp.array(dtype=dtype)])
    return closure, generic


KERNELS = [factory(number) for number in range({count})]
"""

STRUCTS = """from typing import Any
import warp as wp


@wp.struct
class Shape:
    size: float


@wp.func
def doubled(shape: Any, x: Any):
    return shape.size * (x + x)


def factory(number):
    @wp.func
    def scaled(shape: Any, x: Any):
        return doubled(shape, x) * wp.static(number)

    @wp.kernel(module="unique")
    def kernel(x: wp.array(dtype=float), y: wp.array(dtype=float)):
        i = wp.tid()
        shape = Shape()
        shape.size = x[0]
        y[i] = scaled(shape, x[i])

    return kernel


KERNELS = [factory(float(number)) for number in range({count})]
"""

GENERIC = (
    """

@wp.kernel
def generic_{number}(x: wp.array(dtype=Any), y: wp.array(dtype=Any)):
    i = wp.tid()
    value = x[i]
"""
    + "    value = value * value + x[i] * (value - x[i + 1])\n" * 40
    + """    y[i] = value


for dtype in (wp.float32, wp.float64, wp.float16):
    wp.overload(generic_{number}, [wp.array(dtype=dtype), wp.array(dtype=dtype)])
"""
)

TILES = """import warp as wp


@wp.kernel
def product(a: wp.array2d(dtype=float), b: wp.array2d(dtype=float), c: wp.array2d(dtype=float)):
    i, j = wp.tid()
    rows = wp.tile_load(a, shape=({size}, 8), offset=(i * {size}, 0))
    columns = wp.tile_load(b, shape=(8, {size}), offset=(0, j * {size}))
    wp.tile_store(c, wp.tile_matmul(rows, columns), offset=(i * {size}, j * {size}))
"""


def measured(target: str, folder: Path, program: str = MEASURE) -> tuple[int, float]:
    """Return the number of pairs of a target, and the MB that they take in a new process with an empty cache of Warp."""
    environment = os.environ | {"PYTHONHASHSEED": "0", "WARP_CACHE_PATH": str(folder / "cache")}
    command = [sys.executable, "-c", program, target]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment, cwd=folder)
    pairs, growth = done.stdout.split()[-2:]
    return int(pairs), float(growth)


@pytest.mark.exhaustive
def test_closures_and_overloads_take_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "closures.py"
    path.write_text(CLOSURES.replace("{count}", "500"))
    pairs, growth = measured(str(path), tmp_path)
    assert pairs == 2000
    assert growth < BOUND


@pytest.mark.exhaustive
def test_generic_kernels_take_little_memory_from_the_import_on(tmp_path: Path) -> None:
    """Warp parses the source again for each of their 1,200 overloads."""
    kernels = "".join(GENERIC.replace("{number}", str(number)) for number in range(400))
    (tmp_path / "generic.py").write_text(f"from typing import Any\nimport warp as wp\n{kernels}")
    before_import = MEASURE.replace("imported =", "later =").replace(
        "target = import", "import_target('warp.render')\nimported = megabytes('VmRSS')\ntarget = import"
    )
    pairs, growth = measured(str(tmp_path / "generic.py"), tmp_path, before_import)
    assert pairs == 1200
    assert growth < BOUND


@pytest.mark.exhaustive
def test_products_of_tiles_take_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "tiles.py"
    path.write_text(TILES.replace("{size}", "16"))
    pairs, growth = measured(str(path), tmp_path)
    assert pairs == 1
    assert growth < BOUND


@pytest.mark.exhaustive
@pytest.mark.parametrize("package", ["newton", "nvalchemiops"])
def test_packages_take_little_memory(package: str, tmp_path: Path) -> None:
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} is not installed: see requirements/real-programs.txt")
    pairs, growth = measured(package, tmp_path)
    assert growth < BOUND * max(pairs / 2000, 1.0)


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="another C library than glibc decides about its memory itself")
def test_freed_texts_leave_the_process(tmp_path: Path) -> None:
    path = tmp_path / "nothing.py"
    path.write_text("import warp as wp\n\n\n@wp.kernel\ndef nothing():\n    pass\n")
    done = subprocess.run(
        [sys.executable, "-c", FREE_BLOCKS, str(path)], capture_output=True, text=True, check=True, cwd=tmp_path
    )
    full, kept = map(float, done.stdout.split())
    assert full > 90
    assert kept < 10


def test_structs_and_overloads_of_one_pair_are_dropped_before_the_next(tmp_path: Path) -> None:
    path = tmp_path / "structs.py"
    path.write_text(STRUCTS.replace("{count}", "4"))
    target = import_target(str(path))
    living = []
    with accelerated(True):
        for pair in harvest(target, "both", True):
            assert isinstance(pair, Pair)
            gc.collect()
            living.append(Counter(type(item).__name__ for item in gc.get_objects() if type(item).__name__ in DROPPED))
    assert len(living) == 4
    assert living[1:] == [living[1]] * 3


def test_functions_of_libmathdx_are_compiled_in_another_process(monkeypatch: pytest.MonkeyPatch) -> None:
    processes: list[int] = []

    def base(_: str, compile_function: Any, *__: Any) -> tuple[Any, ...]:
        succeeded, files = compile_function({".lto": "path"})
        return succeeded, files

    def compile_function(paths: Mapping[str, str]) -> tuple[bool, dict[str, Any]]:
        processes.append(os.getpid())
        return paths[".lto"] == "path", {".lto": b"code" * 100_000, "process": os.getpid()}

    monkeypatch.setattr(warp_build, "_build_lto_base", base)
    with linked.compiled_in_forks():
        succeeded, files = warp_build._build_lto_base("symbol", compile_function, None, {})
    assert warp_build._build_lto_base is base
    assert (succeeded, files[".lto"]) == (True, b"code" * 100_000)
    assert files["process"] != os.getpid()
    assert processes == []


def test_a_function_whose_fork_dies_is_compiled_here(monkeypatch: pytest.MonkeyPatch) -> None:
    here = os.getpid()

    def compile_function(_: Mapping[str, str]) -> tuple[bool, dict[str, Any]]:
        if os.getpid() != here:
            os._exit(1)
        return False, {}

    monkeypatch.setattr(warp_build, "_build_lto_base", lambda _, function, *__: function({}))
    with linked.compiled_in_forks():
        assert warp_build._build_lto_base("symbol", compile_function, None) == (False, {})


def test_a_fork_adds_no_warnings_to_the_program() -> None:
    """JAX warns of each fork: with ``-W error``, pytest makes a failure of it."""
    program = """import os, warnings
os.register_at_fork(before=lambda: warnings.warn("this process has threads", RuntimeWarning))
from warpsmith.extraction.warp.linked import compiled_in_forks
from warpsmith.extraction.warp.private import warp_build
warp_build._build_lto_base = lambda _, function, *__: function({})
with compiled_in_forks():
    print(warp_build._build_lto_base("symbol", lambda _: (True, {}), None))
"""
    run = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=True)
    assert (run.stdout, run.stderr) == ("(True, {})\n", "")
