"""The public functions of synthesis: single pairs by key, and endless streams of pairs."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence

from warpsmith.core.execution import hash_seed
from warpsmith.core.records.ir import Device
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.program_record import ProgramRecord
from warpsmith.synthesis.kernel_key import Complexity, Profile
from warpsmith.synthesis.production.ptx_texts import require_texts
from warpsmith.synthesis.production.single_program import generate_in_worker
from warpsmith.synthesis.production.stream import PairStream, SinglePair, receive, single_pair


def generate(
    seed: int,
    index: int,
    category: str | None = None,
    device: Device = "both",
    complexity: Complexity = "medium",
    profile: Profile = "default",
    backward: bool = True,
    ptx: str | None = None,
    plain: bool = False,
) -> Pair:
    """Return one generated pair; it equals the pair with the same id in any dataset with the same options.

    Warp's text depends on Python's hash seed. In a process that was started with another hash seed than 0, a second process
    generates the pair, which takes some seconds. Start Python with ``PYTHONHASHSEED=0`` to generate many single pairs.

    Args:
        seed: the seed of the dataset.
        index: the number of the kernel among those of ``category``.
        category: the name of a category; None to count the kernels of all core categories, as a default dataset does.
        device: the target of the generated code.
        complexity: how long the kernel gets.
        profile: ``"stress"`` adds constructs that Warp's compiler handles incorrectly.
        backward: whether the pair contains the adjoint.
        ptx: the architecture of its PTX, such as ``"sm_80"``; None for a pair without PTX.
        plain: whether the pair gets stand-alone CUDA, if there is one whose results are right, see `metadata.plain`.

    Raises:
        WarpsmithError: if there is no such category, if the kernel is rejected, or if PTX is not possible.

    Examples:
        >>> pair = generate(seed=2000, index=17, device="cuda")
        >>> pair.metadata.index, pair.metadata.category, pair.cpp_forward
        (17, 'nested_loop', None)
        >>> generate(seed=2000, index=17, category="vector").metadata.index
        179
    """
    require_texts(ptx, plain, device)
    request = SinglePair(seed, index, category, device, complexity, profile, backward, ptx, plain)
    if hash_seed.is_pinned():
        return single_pair(request)
    with contextlib.closing(receive(request)) as stream:
        return next(stream)


def generate_program(seed: int, index: int, device: Device = "both", backward: bool = True) -> ProgramRecord:
    """Return one generated program; it equals the program with the same id in any dataset with the same options.

    A second process writes the program, compiles it and runs it on the CPU, which takes some seconds.

    Args:
        seed: the seed of the dataset.
        index: the number of the program.
        device: the targets of the generated code.
        backward: whether the kernels have adjoints.

    Raises:
        WarpsmithError: if the program is rejected.

    Examples:
        >>> program = generate_program(seed=2000, index=3, device="cpu")
        >>> program.metadata.kind, len(program.order) == program.metadata.launches
        ('program', True)
    """
    return generate_in_worker(seed, index, device, backward)


def pairs(
    seed: int,
    categories: str | Sequence[str] = "core",
    device: Device = "both",
    start: int = 0,
    *,
    complexity: Complexity = "medium",
    profile: Profile = "default",
    backward: bool = True,
    ptx: str | None = None,
    plain: bool = False,
) -> Iterator[Pair]:
    """Yield the pairs of an endless dataset in order; rejected kernels are left out.

    A second process generates the pairs in batches, ahead of the consumer. It ends with the iterator.

    Args:
        seed: the seed of the dataset.
        categories: names of categories and groups, as a sequence or separated by commas.
        device: the target of the generated code.
        start: the position of the first pair, to continue an earlier iteration.
        complexity: see `generate`.
        profile: see `generate`.
        backward: see `generate`.
        ptx: see `generate`.
        plain: see `generate`.

    Raises:
        WarpsmithError: if there is no such category, or if PTX is not possible.

    Examples:
        >>> from itertools import islice
        >>> [pair.metadata.category for pair in islice(pairs(2000, categories="vector,tile", device="cuda"), 4)]
        ['tile', 'vector', 'vector', 'tile']
    """
    names = tuple(name.strip() for name in categories.split(",")) if isinstance(categories, str) else tuple(categories)
    require_texts(ptx, plain, device)
    return receive(PairStream(seed, names, device, start, complexity, profile, backward, ptx, plain))
