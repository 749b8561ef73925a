"""The text that Warp writes for a kernel in its own module: an oracle that is independent of warpsmith's use of Warp.

Usage: python -m oracles.in_place OUT PROGRAM [ARGUMENT…]. The program runs with its launches captured; then each captured
kernel is extracted, and its texts are compared with those that ``wp.compile_aot_module`` writes for the original. OUT receives
the results as JSON: {"code", "kernels": [digests], "texts", "same_names", "same_comments", "rejects": {id: reason},
"different": {id: difference}}. Equal digests of different programs are the same kernel.

``wp.compile_aot_module`` writes all kernels of a module into one file. For the comparison the module contains one kernel only,
and both compilers are replaced by functions that do nothing: Warp writes its file before it compiles the file.
"""

from __future__ import annotations

import contextlib
import difflib
import hashlib
import json
import re
import sys
import tempfile
import warnings
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest import mock

import warp as wp

from pair_text import whole_text
from warpsmith.core.records.pair import Pair
from warpsmith.extraction import capture
from warpsmith.extraction.capturing.program import parse_program, run_program

DEVICES = {"cpu": {"device": "cpu"}, "cuda": {"arch": [90], "use_ptx": True}}
SUFFIX = {"cpu": "cpp", "cuda": "cu"}


def original_text(kernel: Any, target: str, block_dim: int | None = None) -> str:
    """Return the file that Warp writes for ``kernel`` alone, in its module and with the options of the module."""
    module = kernel.module
    options = {**module.options, **({"block_dim": block_dim} if block_dim else {})}
    hash_before = kernel.hash
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as stack:
        stack.enter_context(mock.patch.object(module, "options", options))
        stack.enter_context(mock.patch.object(module, "kernels", {kernel.key: kernel}))
        stack.enter_context(mock.patch.object(module, "_get_live_kernels", return_value=[kernel]))
        for compiler in ("build_cpu", "build_cuda"):
            stack.enter_context(mock.patch.object(wp._src.build, compiler, return_value=None))
        module.mark_modified()
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("ignore")  # the result is for this processor only
        wp.compile_aot_module(module, module_dir=folder, strip_hash=True, **DEVICES[target])
        (written,) = Path(folder).glob(f"*.{SUFFIX[target]}")
        text = written.read_text()
    module.mark_modified()
    kernel.hash = hash_before
    return text


def without_numbers(text: str, *, names: bool, comments: bool) -> str:
    """Return ``text`` with the functions and structures that it defines numbered in the order of their definitions.

    Args:
        text: the text of a whole module.
        names: whether their names stay, and only the number at the end of a helper function's name is replaced.
        comments: whether the quoted lines of Python stay, without their numbers.
    """
    text = re.sub(r"(?m)^// .*:\d+$\n", "", text)  # the file and the line of a function
    text = re.sub(r" *<L \d+>$" if comments else r"^ *//.*\n| *//.*", "", text, flags=re.MULTILINE)
    # A definition starts a line with a type; the line of an adjoint of a structure goes on after the parenthesis.
    defined = re.findall(r"(?m)^(?:struct (\w+)|[A-Za-z][\w:<>, \x22]*?[ \*&](\w+)\()", text)
    order: dict[str, int] = {}
    for structure, function in defined:
        order.setdefault(structure or function, len(order))
    if names:
        order = {name: number for name, number in order.items() if re.search(r"_\d+$", name)}
    return re.sub(
        r"\b[A-Za-z_]\w*\b",
        lambda match: (
            f"{re.sub(r'_[0-9]+$', '', match[0]) if names else ''}@{order[match[0]]}" if match[0] in order else match[0]
        ),
        text,
    )


@dataclass(frozen=True)
class Comparison:
    """The text of a pair for one target compared with the original.

    Attributes:
        same_names: whether the texts are equal but for the numbers of helper functions and comments.
        same_comments: whether the texts are equal but for the names of what they define and the numbers of lines.
        difference: how the code differs, names and comments aside; empty if it does not.
    """

    same_names: bool
    same_comments: bool
    difference: str


def compared(kernel: Any, pair: Pair, target: str) -> Comparison:
    """Compare the text of a pair with the text that Warp writes for the original."""
    installed = f"// {Path(wp.__file__).parents[1]}/"
    original = original_text(kernel, target, pair.metadata.module_options.get("block_dim")).replace(installed, "// ")
    ours = whole_text(pair, target)

    def forms(names: bool, comments: bool) -> tuple[str, str]:
        return tuple(without_numbers(text, names=names, comments=comments) for text in (original, ours))

    def are_equal(names: bool, comments: bool) -> bool:
        expected, actual = forms(names, comments)
        return expected == actual

    lines = difflib.unified_diff(*(text.splitlines() for text in forms(False, False)), lineterm="", n=1)
    return Comparison(are_equal(True, False), are_equal(False, True), "\n".join(list(lines)[:20]))


def main() -> None:
    out, words = Path(sys.argv[1]).resolve(), sys.argv[2:]
    wp.config.log_level = wp.LOG_ERROR
    with capture(launches=1) as captured:
        code = run_program(parse_program(words))
    result: dict[str, Any] = {"code": code, "kernels": [], "texts": 0, "same_names": 0, "same_comments": 0}
    result |= {"rejects": {}, "different": {}}
    for kernel in captured.kernels:
        for made in captured.pairs_of(kernel, "both", include_backward=True):
            if not isinstance(made, Pair):
                result["rejects"][made.id] = made.error
                continue
            result["kernels"].append(hashlib.sha256(made.python_source.encode()).hexdigest())
            for target in DEVICES:
                comparison = compared(kernel.kernel, made, target)
                result["texts"] += 1
                result["same_names"] += comparison.same_names
                result["same_comments"] += comparison.same_comments
                if comparison.difference:
                    result["different"][made.id] = comparison.difference
    out.write_text(json.dumps(result))


if __name__ == "__main__":
    main()
