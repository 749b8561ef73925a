"""Mutants of Warp's headers whose fault only a GPU has, and what each level sees: ``python -m mutants.gpu_mutants``.

Each mutant is one edit of a copy of ``warp/native``. The SIMT machine runs kernels that NVRTC compiles against the copy.
The command checks the kernels as pairs, with a copy of the package Warp that contains the edited headers. With the argument
``unchanged`` the copy has Warp's own headers.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import warp as wp

from tile_kernels import HEAD, SOURCES
from warp_machine import WITHOUT_MATHDX, Arrays, MachineResult, machine_kernel
from warpsmith.core.records.encoding import encode
from warpsmith.core.records.launch import Argument, Domain, Launch
from warpsmith.core.records.pair import Pair
from warpsmith.extraction.codegen.extract import extract_ir
from warpsmith.extraction.targets.loading import loaded_kernel

PACKAGE = Path(wp.__file__).parent

LEVELS = ("compile", "execute", "emulate", "oracle", "gradient", "simt")

SIZE, TILE, LARGEST_DIFFERENCE = 512, 256, 1e-4

SCALAR_HEAD = HEAD.partition("    i = wp.tid()")[0] + "    i = wp.tid()\n"


def _scalar(body: str) -> str:
    return SCALAR_HEAD + body


KERNELS = SOURCES | {
    "histogram": _scalar("    wp.atomic_add(out, i % 4, x[i] * y[i])\n"),
    "largest": _scalar("    wp.atomic_max(out, i % 4, x[i])\n"),
    "smallest": _scalar("    wp.atomic_min(out, i % 4, -x[i])\n"),
    "minimum of two": _scalar("    out[i] = wp.min(x[i], y[i])\n"),
    "half precision": _scalar("    out[i] = float(wp.float16(x[i])) * y[i]\n"),
    "bits": _scalar("    out[i] = x[i] * float(wp.bit_count(i))\n"),
    "one value": (
        HEAD.replace("    i = wp.tid()", "    i, j = wp.tid()")
        + "    t = t + wp.tile_from_thread(shape=256, value=x[j], thread_idx=3)\n"
        + "    wp.tile_store(out, t, offset=i * 256)\n"
    ),
    "small sort": (
        SCALAR_HEAD
        + "    p = wp.tile_load(x, shape=32, offset=i * 256)\n    q = wp.tile_load(y, shape=32, offset=i * 256)\n"
        + "    wp.tile_sort(p, q)\n    wp.tile_store(out, p, offset=i * 256)\n"
        + "    wp.tile_store(out, wp.tile_sum(q), offset=i * 256 + 32)\n"  # the order of q is open for equal keys
    ),
    "copied rows": """import warp as wp


@wp.kernel
def k(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    i = wp.tid()
    a = wp.tile_load(x, shape=(16, 16), offset=(i * 16, 0), storage="shared")
    wp.tile_store(out, a, offset=(i * 16, 0))
""",
    "rows": """import warp as wp


@wp.kernel
def k(x: wp.array2d(dtype=float), y: wp.array2d(dtype=float), out: wp.array2d(dtype=float)):
    i = wp.tid()
    a = wp.tile_load(x, shape=(16, 16), offset=(i * 16, 0), storage="shared")
    b = wp.tile_load(y, shape=(16, 16), offset=(i * 16, 0), storage="shared")
    c = wp.tile_transpose(a) + b
    wp.tile_store(out, c, offset=(i * 16, 0))
""",
}


WITHOUT_ADJOINT = ("inclusive scan", "one value", "small sort", "sort")
"""Kernels whose adjoint in Warp is wrong: their pairs have none, as level `gradient` would fail before level `simt` runs."""


@dataclass(frozen=True, slots=True)
class GpuMutant:
    """One edit of a header.

    Attributes:
        name: what the edit does.
        kernel: the name of a kernel that runs the edited code.
        block: threads of a block.
        file: the header.
        before: the text that is replaced; it occurs once behind ``after``.
        replacement: the new text.
        after: the text from which on the edit is searched for.
        group: mutants of one group are checked in one copy of Warp: none affects the kernel of another one.
    """

    name: str
    kernel: str
    block: int
    file: str
    before: str
    replacement: str
    after: str = ""
    group: int = 0

    def apply(self, native: Path) -> None:
        """Edit the header in a copy of the folder.

        Raises:
            ValueError: if this version of Warp does not contain the text.
        """
        path = native / self.file
        text = path.read_text(encoding="utf-8")
        start = text.index(self.after)
        place = text.index(self.before, start)
        path.write_text(text[:place] + self.replacement + text[place + len(self.before) :], encoding="utf-8")


SYNC = "WP_TILE_SYNC();"

MUTANTS = (
    GpuMutant(
        "reduction: no barrier after the sums of warps", "sum", 64, "tile_reduce.h", SYNC, "", "block_combine_thread_results("
    ),
    GpuMutant(
        "reduction: no barrier after the counter is cleared", "sum", 64, "tile_reduce.h", SYNC, "", "active_warps = 0;", group=1
    ),
    GpuMutant(
        "reduction: half of the lanes",
        "sum",
        32,
        "tile_reduce.h",
        "WP_TILE_WARP_SIZE / 2",
        "WP_TILE_WARP_SIZE / 4",
        "T warp_reduce(",
        group=2,
    ),
    GpuMutant(
        "reduction: mask without half of the lanes",
        "sum",
        32,
        "tile_reduce.h",
        "__shfl_down_sync(mask, input[i]",
        "__shfl_down_sync(mask & 0xffff, input[i]",
        group=3,
    ),
    GpuMutant("scan: one lane too few", "inclusive scan", 32, "tile_scan.h", "if (lane >= i)", "if (lane > i)"),
    GpuMutant(
        "scan: no barrier after the sums of warps",
        "inclusive scan",
        64,
        "tile_scan.h",
        SYNC,
        "",
        "sums[warp_index] = value;",
        group=1,
    ),
    GpuMutant(
        "value of one thread: no barrier after the write", "one value", 64, "tile.h", SYNC, "", "        scratch = value;"
    ),
    GpuMutant(
        "sort: exchange with another lane",
        "small sort",
        32,
        "tile_radix_sort.h",
        "input[i], lane_mask,",
        "input[i], lane_mask ^ 1,",
    ),
    GpuMutant(
        "sort: no barrier before elements are written",
        "sort",
        64,
        "tile_radix_sort.h",
        "__syncthreads();",
        "",
        "swap[loop_id] = (((thread_id2 & stride) != 0 ?",
        group=1,
    ),
    GpuMutant("store of rows: float4 of a neighbour", "copied rows", 32, "tile.h", "= src128[i];", "= src128[i ^ 1];", group=1),
    GpuMutant("load of rows: no barrier", "rows", 64, "tile.h", SYNC, "", "dest128[i] = src128[global_idx];"),
    GpuMutant(
        "atomic add: a plain sum",
        "histogram",
        64,
        "builtin.h",
        "return atomicAdd(buf, value);",
        "T old = *buf;\n    *buf = old + value;\n    return old;",
        group=4,
    ),
    GpuMutant(
        "atomic maximum: the minimum",
        "largest",
        64,
        "builtin.h",
        "max(__int_as_float(assumed), val)",
        "min(__int_as_float(assumed), val)",
    ),
    GpuMutant(
        "atomic minimum: one try",
        "smallest",
        64,
        "builtin.h",
        "} while (assumed != old);",
        "} while (false);",
        "atomic_min(float*",
        group=1,
    ),
    GpuMutant("minimum: the maximum", "minimum of two", 32, "builtin.h", "::fminf(a, b)", "::fmaxf(a, b)", group=2),
    GpuMutant("half precision: rounding to zero", "half precision", 32, "builtin.h", "cvt.rn.f16.f32", "cvt.rz.f16.f32"),
    GpuMutant("count of bits: leading zeros", "bits", 32, "builtin.h", "return __popc(", "return __clz(", group=1),
)


def copy_headers(folder: Path) -> Path:
    """Copy Warp's headers."""
    return Path(shutil.copytree(PACKAGE / "native", folder / "native"))


def machine_difference(mutant: GpuMutant, folder: Path) -> str:
    """Return what the SIMT machine shows of a mutant; empty if nothing."""
    native = copy_headers(folder)
    mutant.apply(native)
    source = KERNELS[mutant.kernel]
    original = _run(source, mutant.block, None)
    changed = _run(source, mutant.block, native)
    new = sorted({finding.kind for finding in changed.findings} - {finding.kind for finding in original.findings})
    if new:
        return ", ".join(new)
    for group, name in ((original.arrays, "arrays"), (original.gradients, "gradients")):
        for key, values in group.items():
            if not np.allclose(
                getattr(changed, name)[key], values, rtol=LARGEST_DIFFERENCE, atol=LARGEST_DIFFERENCE, equal_nan=True
            ):
                return "other results"
    return ""


def _run(source: str, block: int, native: Path | None) -> MachineResult:
    kernel = machine_kernel(source, block, native, precompiled=native is None)
    dim = (SIZE // TILE, block) if "tile" in source else (SIZE,)
    return kernel.run(dim, _arrays(source), ["out"])


def _arrays(source: str) -> Arrays:
    shape = (SIZE // 16, 16) if "array2d" in source else (SIZE,)
    generator = np.random.default_rng(7)
    x, y = (generator.uniform(0.5, 1.0, shape).astype(np.float32) for _ in range(2))
    return {"x": x, "y": y, "out": np.zeros(shape, np.float32)}


# ----------------------------------------------------------------------------------------------------------------- all levels


def mutant_pair(mutant: GpuMutant) -> Pair:
    """Return the kernel of a mutant as a pair."""
    source = KERNELS[mutant.kernel]
    backward = mutant.kernel not in WITHOUT_ADJOINT
    options = {"block_dim": mutant.block, **WITHOUT_MATHDX} | ({} if backward else {"enable_backward": False})
    with loaded_kernel(source, None, options) as kernel:
        ir = extract_ir(kernel, "both", include_backward=backward)
    arguments = tuple(
        Argument(
            name=name,
            kind="array",
            dtype="float32",
            role="output" if name == "out" else "input",
            shape=array.shape,
            domain=Domain(kind="fill", low=0, high=0) if name == "out" else Domain(kind="uniform", low=0.5, high=1.0),
        )
        for name, array in _arrays(source).items()
    )
    dim = (SIZE // TILE, mutant.block) if "tile" in source else (SIZE,)
    return Pair.from_ir(
        ir, identity=f"{mutant.kernel.replace(' ', '_')}-{mutant.block}", python_source=source, category="test",
        warp_version=wp.__version__, generator_version="1", module_options=options,
        launch=Launch(dim=dim, args=arguments), description="A kernel of a mutant.",
    )  # fmt: skip


def copy_package(folder: Path) -> Path:
    """Copy the package Warp: its headers are copied, all else is linked."""
    package = folder / "warp"
    package.mkdir()
    for entry in PACKAGE.iterdir():
        if entry.name not in ("native", "__pycache__"):
            (package / entry.name).symlink_to(entry)
    return copy_headers(package)


def failing_levels(mutants: Sequence[GpuMutant], folder: Path, *, edited: bool = True) -> list[str]:
    """Return for each mutant of a group the level that fails the pair, with its reason; empty if all levels pass."""
    native = copy_package(folder)
    for mutant in mutants if edited else ():
        mutant.apply(native)
    pairs = [mutant_pair(mutant) for mutant in mutants]
    data = folder / "pairs.jsonl"
    data.write_bytes(b"".join(encode(pair) for pair in pairs))
    code = "from warpsmith.validation.cli import main; main()"
    options = [option for level in LEVELS for option in ("--level", level)]
    paths = [str(folder), *filter(None, [os.environ.get("PYTHONPATH", "")])]
    done = subprocess.run(
        [sys.executable, "-c", code, "run", str(data), *options, "--json"],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    report = json.loads(done.stdout)
    print(report["levels"], flush=True)
    failures: dict[str, list[str]] = {}
    for entry in report["failures"]:
        failures.setdefault(entry["id"], []).append(f"{entry['level']}: {entry['reason']}")
    return ["; ".join(failures.get(pair.id, ())) for pair in pairs]


def check_mutants() -> None:
    """Print for each mutant the levels that fail its pair."""
    for group in sorted({mutant.group for mutant in MUTANTS}):
        mutants = [mutant for mutant in MUTANTS if mutant.group == group]
        with tempfile.TemporaryDirectory() as folder:
            for mutant, failure in zip(mutants, failing_levels(mutants, Path(folder)), strict=True):
                print(f"{mutant.name}: {failure or 'no level fails'}", flush=True)


def check_unchanged() -> None:
    """Print for each kernel and size of blocks the levels that fail its pair with Warp's own headers."""
    mutants = list({(mutant.kernel, mutant.block): mutant for mutant in MUTANTS}.values())
    with tempfile.TemporaryDirectory() as folder:
        for mutant, failure in zip(mutants, failing_levels(mutants, Path(folder), edited=False), strict=True):
            print(f"unchanged: {mutant.kernel}, {mutant.block}: {failure or 'no level fails'}", flush=True)


def main() -> None:
    """Check the mutants, or the kernels with Warp's own headers if the command has the argument ``unchanged``."""
    if sys.argv[1:] == ["unchanged"]:
        check_unchanged()
    else:
        check_mutants()


if __name__ == "__main__":
    main()
