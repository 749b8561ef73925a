"""The kernels that the tests of one process, or of several, launched."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple, TypedDict

import msgspec

from warpsmith.core.records.encoding import encode
from warpsmith.core.records.jsonl import decode
from warpsmith.core.records.pair import Pair, Reject
from warpsmith.core.records.tape_lines import decode_program, encode_program
from warpsmith.core.records.tape_recording import RecordedProgram

_FILE = Path("<pytest>")


class Untested(NamedTuple):
    """A kernel that no test launched.

    Attributes:
        name: the name of module and function.
        id: the id that a pair of the kernel would have.
        kernel: the name of the kernel.
        file: its source file.
        line: the line of its ``def``.
    """

    name: str
    id: str
    kernel: str
    file: str
    line: int


class PlainObserved(TypedDict):
    """The fields of `Observed` as values that processes can exchange: pairs and rejects are lines of JSON."""

    pairs: list[bytes]
    rejects: list[bytes]
    tests: dict[str, str]
    left_out: int
    launched: list[str]
    untested: list[tuple[str, str, str, str, int]]
    programs: list[bytes]


@dataclass(slots=True)
class Observed:
    """The kernels that were launched.

    Attributes:
        pairs: a pair for each launch that is kept.
        rejects: the kernels that did not become pairs.
        tests: the test that launched a kernel first, by the id of the pair or reject.
        left_out: how many kernels of Warp itself were launched and left out.
        launched: the names of module and function of all kernels that were launched.
        untested: the kernels that were not, of those that the tests should launch.
        programs: the backward passes of tapes.
    """

    pairs: list[Pair] = field(default_factory=list)
    rejects: list[Reject] = field(default_factory=list)
    tests: dict[str, str] = field(default_factory=dict)
    left_out: int = 0
    launched: list[str] = field(default_factory=list)
    untested: list[Untested] = field(default_factory=list)
    programs: list[RecordedProgram] = field(default_factory=list)

    def to_plain(self) -> PlainObserved:
        """Return the kernels as values that processes can exchange."""
        return {
            "pairs": [encode(pair) for pair in self.pairs],
            "rejects": [encode(reject) for reject in self.rejects],
            "tests": self.tests,
            "left_out": self.left_out,
            "launched": self.launched,
            "programs": [encode_program(program) for program in self.programs],
            "untested": [(*kernel,) for kernel in self.untested],
        }


def from_plain(plain: PlainObserved) -> Observed:
    """Return the kernels that `Observed.to_plain` returned in another process."""
    return Observed(
        pairs=[decode(line, _FILE, number).checked() for number, line in enumerate(plain["pairs"], start=1)],
        rejects=[msgspec.json.decode(line, type=Reject) for line in plain["rejects"]],
        tests=dict(plain["tests"]),
        left_out=plain["left_out"],
        launched=list(plain["launched"]),
        untested=[Untested(*kernel) for kernel in plain["untested"]],
        programs=[decode_program(line, _FILE, number) for number, line in enumerate(plain["programs"], start=1)],
    )


def merged(observed: Iterable[Observed]) -> Observed:
    """Return what several processes observed: the same launch of the same kernel counts once, and ids are different."""
    union, seen = Observed(), set()
    for part in observed:
        for pair in part.pairs:
            key = pair.python_source, pair.metadata.module_options.get("block_dim"), pair.metadata.launch
            if key not in seen:
                seen.add(key)
                renamed = replace(pair, id=_free(pair.id, union.tests))
                union.pairs.append(renamed)
                union.tests[renamed.id] = part.tests.get(pair.id, "")
        for reject in part.rejects:
            if reject.id not in union.tests:
                union.rejects.append(reject)
                union.tests[reject.id] = part.tests.get(reject.id, "")
        union.left_out = max(union.left_out, part.left_out)
        union.launched += part.launched
        for program in part.programs:
            used = {kept.recording.id: "" for kept in union.programs}
            union.programs.append(replace(program, recording=replace(program.recording, id=_free(program.recording.id, used))))
        union.untested += part.untested
    launched, unique = set(union.launched), {kernel.name: kernel for kernel in union.untested}
    union.untested = [kernel for name, kernel in unique.items() if name not in launched]
    return union


def kernel_id(identity: str) -> str:
    """Return the id of a kernel from that of a pair; the ids of further launches end in a number.

    Examples:
        >>> kernel_id("sim-1.0-sim.kernels.step#2")
        'sim-1.0-sim.kernels.step'
    """
    name, _, number = identity.rpartition("#")
    return name if number.isdecimal() else identity


def _free(identity: str, used: dict[str, str]) -> str:
    """Return ``identity``, or with another number if it is used."""
    name, number = kernel_id(identity), 1
    while identity in used:
        number += 1
        identity = f"{name}#{number}"
    return identity
