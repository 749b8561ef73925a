"""Pairs without a dataset: one by key, or an endless stream from a second process that has loaded and accelerated Warp.

Run as ``python -m warpsmith.synthesis.production.stream REQUEST``, the module writes frames to stdout: an error for
the user, or none and a pair.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Generator, Iterator
from itertools import count
from typing import BinaryIO

import msgspec

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.execution import framing
from warpsmith.core.execution.python_process import ending, module_command
from warpsmith.core.records.ir import Device
from warpsmith.core.records.pair import Pair, Reject
from warpsmith.synthesis.kernel_key import Complexity, KernelKey, Profile
from warpsmith.synthesis.production.dataset_plan import Plan, chosen_categories
from warpsmith.synthesis.production.ptx_texts import PLAIN


class SinglePair(msgspec.Struct, frozen=True, tag=True):
    """A request for one pair, see `api.generate`."""

    seed: int
    index: int
    category: str | None
    device: Device
    complexity: Complexity
    profile: Profile
    backward: bool
    ptx: str | None = None
    plain: bool = False


class PairStream(msgspec.Struct, frozen=True, tag=True):
    """A request for an endless stream of pairs, see `api.pairs`."""

    seed: int
    categories: tuple[str, ...]
    device: Device
    start: int
    complexity: Complexity
    profile: Profile
    backward: bool
    ptx: str | None = None
    plain: bool = False


def single_pair(request: SinglePair) -> Pair:
    """Generate one pair in this process, which loads Warp.

    Raises:
        WarpsmithError: see `api.generate`.
    """
    from warpsmith.extraction.plain_texts import plain_writer  # loads Warp
    from warpsmith.synthesis.production.generate_pairs import generate_pairs

    plan = _plan(request, ())
    with plain_writer(request.plain, PLAIN) as add_plain:
        (result,) = generate_pairs(plan, [_key(plan, request)], add_plain)
    if isinstance(result, Reject):
        raise WarpsmithError(f"{result.id} was rejected: {result.stage}: {result.error}")
    return result


def _key(plan: Plan, request: SinglePair) -> KernelKey:
    """Return the key of the kernel with the requested number among those of its category.

    Raises:
        WarpsmithError: if there is no such category.
    """
    from warpsmith.synthesis.writing.catalogue.categories import core_categories  # loads Warp

    if request.category is None:
        return plan.key(request.index)
    if chosen_categories([request.category]) != (request.category,):
        raise WarpsmithError(f"{request.category} is a group of categories: choose one category")
    core = [category.name for category in core_categories()]
    if request.category not in core:
        return plan.key(request.index, request.category)
    return plan.key(request.index * len(core) + core.index(request.category))  # core categories take turns


def _plan(request: SinglePair | PairStream, categories: tuple[str, ...]) -> Plan:
    return Plan(
        count=sys.maxsize,
        seed=request.seed,
        device=request.device,
        backward=request.backward,
        codegen_only=True,
        categories=categories,
        shard_size=sys.maxsize,
        profile=request.profile,
        complexity=request.complexity,
        ptx=request.ptx,
        plain=request.plain,
    )


# ---------------------------------------------------------------------------------------------------------- the second process


def receive(request: SinglePair | PairStream) -> Generator[Pair, None, None]:
    """Yield the pairs that a second process generates; the process ends with the iterator.

    Raises:
        WarpsmithError: if the request cannot be fulfilled, or if the process dies.
    """
    command = module_command(__name__, msgspec.json.encode(request).decode())
    environment = os.environ | {"PYTHONHASHSEED": "0"}
    with (
        tempfile.TemporaryFile() as printed,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=printed, env=environment) as process,  # noqa: S603 - this module
    ):
        try:
            while process.stdout is not None and (frame := framing.receive(process.stdout)) is not None:
                error, pair = frame
                if error:
                    raise WarpsmithError(error)
                yield msgspec.json.decode(pair, type=Pair)
            code = process.wait()
            printed.seek(0)
            raise WarpsmithError(f"the process that generates pairs {ending(code, printed.read())}")
        finally:
            process.kill()


def serve(request: SinglePair | PairStream, output: BinaryIO) -> None:
    """Write the messages that answer ``request``, until ``output`` is closed."""
    try:
        for batch in _batches(request):
            for pair in batch:
                framing.send(output, "", msgspec.json.encode(pair))
    except WarpsmithError as error:
        framing.send(output, str(error))
    except BrokenPipeError:
        os._exit(0)  # the receiver is gone; a regular exit would try to flush again


def _batches(request: SinglePair | PairStream) -> Iterator[list[Pair]]:
    from warpsmith.extraction.plain_texts import plain_writer  # loads Warp
    from warpsmith.synthesis.production.generate_pairs import PAIRS_PER_BATCH, generate_pairs

    if isinstance(request, SinglePair):
        yield [single_pair(request)]
        return
    plan = _plan(request, chosen_categories(request.categories))
    with plain_writer(request.plain, PLAIN) as add_plain:
        for start in count(request.start, PAIRS_PER_BATCH):
            results = generate_pairs(plan, plan.keys(range(start, start + PAIRS_PER_BATCH)), add_plain)
            yield [result for result in results if isinstance(result, Pair)]


def main() -> None:
    """Answer the request in the first argument."""
    from warpsmith.synthesis.production.synthesis_workers import prepare_process  # not needed by receivers

    output = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # nothing else may print between messages
    request: SinglePair | PairStream = msgspec.json.decode(sys.argv[1], type=SinglePair | PairStream)
    prepare_process(accelerate=isinstance(request, PairStream))
    serve(request, output)


if __name__ == "__main__":
    main()
