"""Prints a digest of the text of each kernel, with Warp's code generation as it is or accelerated. Run as a process of its own.

python accelerated_texts.py stock|accelerated COUNT   [CATEGORY…]     kernels of synthesis, COUNT of each category
python accelerated_texts.py stock|accelerated examples                 the kernels of warp.examples
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import sys
import warnings
from collections.abc import Iterator

from warpsmith.extraction.accelerate import accelerated
from warpsmith.extraction.errors import KernelRejected
from warpsmith.extraction.extract import extract_ir
from warpsmith.extraction.harvest import harvest, import_target
from warpsmith.extraction.loading import loaded_kernel
from warpsmith.extraction.record import Pair
from warpsmith.synthesis.writing.categories import all_categories, core_categories
from warpsmith.synthesis.writing.generate import generate

SEED = 31


def written(count: int, names: list[str]) -> Iterator[tuple[str, str]]:
    """Id and text, or error, of kernels of synthesis."""
    core = [category.name for category in core_categories()]
    for category in all_categories():
        for number in range(count) if not names or category.name in names else ():
            if category.name in core:
                sample = generate(SEED, number * len(core) + core.index(category.name))
            else:
                sample = generate(SEED, number, category=category.name)
            yield sample.id, text_of(sample.source, sample.kernel_name, dict(sample.options))


def text_of(source: str, name: str, options: dict[str, int]) -> str:
    try:
        with loaded_kernel(source, name, options) as kernel:
            ir = extract_ir(kernel, "both")
    except KernelRejected as error:
        return str(error)
    return repr([(code.forward_code, code.backward_code) for code in ir.codes.values()])


def found() -> Iterator[tuple[str, str]]:
    """The same of the kernels that come with Warp."""
    for result in harvest(import_target("warp.examples"), "both", include_backward=True):
        yield result.id, repr(result if isinstance(result, Pair) else result.error)


def main(how: str, what: str, *names: str) -> None:
    warnings.simplefilter("ignore")
    with accelerated(how == "accelerated") as on, contextlib.redirect_stdout(sys.stderr):
        assert on == (how == "accelerated"), "this Warp is not one that was compared"
        texts = found() if what == "examples" else written(int(what), list(names))
        digests = {identity: hashlib.sha256(text.encode()).hexdigest() for identity, text in texts}
    print(json.dumps(digests))


if __name__ == "__main__":
    main(*sys.argv[1:])
