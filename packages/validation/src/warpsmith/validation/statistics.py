"""Numbers about a dataset: the five points that its owner checks, sizes, and how much of it is alike.

`measure` looks at some lines, `merge` puts such looks together, `summarize` turns them into what `stats.json` holds. Structures
are found from the Python text alone, so that they check what the generator says of itself.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from warpsmith.extraction.jsonl import Line
from warpsmith.extraction.record import TARGETS, Pair

LANDMARKS = {
    "cuda": {
        "forward kernel": "_cuda_kernel_forward(",
        "threadIdx": "threadIdx",
        "blockIdx": "blockIdx",
        "grid-stride loop": "_idx += static_cast<size_t>(blockDim.x) * static_cast<size_t>(gridDim.x)",
    },
    "cpu": {"forward kernel": "_cpu_kernel_forward(", "entry point": "_cpu_forward(", "block loop": "wp_cpu_run_block("},
}
BACKWARD_LANDMARKS = {"cuda": "_cuda_kernel_backward(", "cpu": "_cpu_kernel_backward("}


def measure(lines: Iterable[Line]) -> dict[str, Any]:
    """Count what there is to count in ``lines``; plain JSON values, so that they can travel."""
    counts: Counter[str] = Counter()
    categories: Counter[str] = Counter()
    features: Counter[str] = Counter()
    sizes: dict[str, list[int]] = {"python bytes": [], "python lines": [], "cpu bytes": [], "cuda bytes": []}
    structures: list[str] = []
    for line in lines:
        counts["lines"] += 1
        counts["bytes"] += len(line.raw)
        if line.pair is None:
            counts["broken lines"] += 1
            continue
        pair = line.pair
        counts["pairs"] += 1
        categories[pair.metadata.category] += 1
        features.update(pair.metadata.features)
        sizes["python bytes"].append(len(pair.python_source.encode()))
        sizes["python lines"].append(pair.python_source.count("\n"))
        counts["with backward"] += pair.metadata.has_backward
        _measure_python(pair, counts, structures)
        for target in TARGETS[pair.metadata.device]:
            _measure_text(pair, target, counts, sizes[f"{target} bytes"])
    return {
        "counts": dict(counts),
        "categories": dict(categories),
        "features": dict(features),
        "sizes": sizes,
        "structures": structures,
    }


def _measure_python(pair: Pair, counts: Counter[str], structures: list[str]) -> None:
    try:
        tree = ast.parse(pair.python_source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    counts["valid python"] += 1
    structures.append(structure(tree))


def _measure_text(pair: Pair, target: str, counts: Counter[str], sizes: list[int]) -> None:
    forward, backward = pair.code(target)
    name = pair.metadata.kernel_name
    for landmark, text in LANDMARKS[target].items():
        wanted = f"{name}{text}" if text.startswith("_c") else text
        counts[f"{target}: {landmark}"] += wanted in (forward or "")
    if pair.metadata.has_backward:
        counts[f"{target}: backward kernel"] += f"{name}{BACKWARD_LANDMARKS[target]}" in (backward or "")
    sizes.append(len((forward or "").encode()) + len((backward or "").encode()))


def structure(tree: ast.Module) -> str:
    """Return a hash of a file's shape: names that it defines and constants left out, Warp's names and types kept."""
    digest = hashlib.blake2b(digest_size=8)
    numbers: dict[str, int] = {}
    for statement in tree.body:
        if isinstance(statement, ast.ClassDef):
            numbers.setdefault(statement.name, len(numbers))
            for member in statement.body:
                if isinstance(member, ast.AnnAssign) and isinstance(member.target, ast.Name):
                    numbers.setdefault(member.target.id, len(numbers))
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef | ast.ClassDef):
            digest.update(_shape(statement, numbers).encode())
    return digest.hexdigest()


_TYPES = (
    (re.compile(r"\bwp\.(float|int|bool)(32)?\b"), r"\1"),
    (re.compile(r"wp\.array(\d)d\(dtype=([\w.]+)\)"), r"wp.array[\2,\1]"),
    (re.compile(r"wp\.array(\d)d\[([\w.]+)\]"), r"wp.array[\2,\1]"),
    (re.compile(r"wp\.array\(dtype=([\w.]+), ndim=(\d)\)"), r"wp.array[\1,\2]"),
    (re.compile(r"wp\.array\(dtype=([\w.]+)\)"), r"wp.array[\1]"),
)
"""The ways to write one type, made one."""

_OWN_NAME = re.compile(r"(?<![.\w])[A-Za-z_]\w*")
"""A name that is no attribute of another."""


def _shape(node: ast.AST, numbers: dict[str, int]) -> str:
    match node:
        case ast.Name(name):
            return name if name in ("wp", "float", "int", "bool", "range") else str(numbers.setdefault(name, len(numbers)))
        case ast.Constant(value):
            return type(value).__name__
        case ast.Attribute(value, attribute):
            return f"{_shape(value, numbers)}.{numbers.get(attribute, attribute)}"
        case ast.arg(name, annotation):
            kind = ast.unparse(annotation) if annotation else ""
            for pattern, written in _TYPES:
                kind = pattern.sub(written, kind)
            kind = _OWN_NAME.sub(lambda match: str(numbers.get(match[0], match[0])), kind).replace(",1]", "]")
            return f"{numbers.setdefault(name, len(numbers))}:{kind}"
        case ast.FunctionDef(name, arguments, body):
            if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
                body = body[1:]  # a docstring
            numbers.setdefault(name, len(numbers))
            parts = [*map(ast.unparse, node.decorator_list), *(_shape(argument, numbers) for argument in arguments.args)]
            return f"def({','.join(parts)}){{{';'.join(_shape(item, numbers) for item in body)}}}"
    inner = ",".join(_shape(child, numbers) for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr_context))
    return f"{type(node).__name__}({inner})"


def merge(measured: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """Put several looks together."""
    total: dict[str, Any] = {"counts": Counter(), "categories": Counter(), "features": Counter(), "sizes": {}, "structures": []}
    for part in measured:
        for name in ("counts", "categories", "features"):
            total[name].update(part[name])
        for name, values in part["sizes"].items():
            total["sizes"].setdefault(name, []).extend(values)
        total["structures"].extend(part["structures"])
    return total


def summarize(total: dict[str, Any]) -> dict[str, Any]:
    """Turn merged measurements into `stats.json`: counts, distributions, shares. Sizes are bytes or lines."""
    structures = Counter(total["structures"])
    pairs = total["counts"]["pairs"]
    duplicates = len(total["structures"]) - len(structures)
    return {
        "pairs": pairs,
        "broken_lines": total["counts"]["broken lines"],
        "bytes": total["counts"]["bytes"],
        "counts": dict(sorted(total["counts"].items())),
        "categories": dict(sorted(total["categories"].items())),
        "sizes": {name: _distribution(values) for name, values in total["sizes"].items() if values},
        "structures": {"distinct": len(structures), "duplicates": duplicates, "share": round(duplicates / max(pairs, 1), 6)},
        "features": dict(sorted(total["features"].items())),
    }


def _distribution(values: Sequence[int]) -> dict[str, float]:
    array = np.asarray(values)
    shares = {f"p{share}": float(np.percentile(array, share)) for share in (10, 50, 90)}
    return {"mean": round(float(array.mean()), 1), "min": float(array.min()), **shares, "max": float(array.max())}
