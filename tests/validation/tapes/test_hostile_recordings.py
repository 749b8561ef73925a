"""Recordings that no program makes: each one gets a reason, and the next recording is checked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tape_recordings import Run, recorded_runs
from warpsmith.core.records.tape_recording import Access, Content, Memory, Recording, encode_content
from warpsmith.validation.tapes.program_results import check_programs

Change = Callable[[Recording], Recording]


def event(**changes: Any) -> Change:
    """Return a change of the first event."""
    return lambda recording: replace(recording, events=(replace(recording.events[0], **changes), *recording.events[1:]))


def access(change: Callable[[Access], Access]) -> Change:
    """Return a change of the first array of the first event."""

    def changed(recording: Recording) -> Recording:
        first, *others = recording.events[0].accesses
        return event(accesses=(change(first), *others))(recording)

    return changed


def memory(**changes: Any) -> Change:
    return access(lambda one: replace(one, memory=replace(one.memory, **changes)))


def gradient(**changes: Any) -> Change:
    return access(lambda one: replace(one, gradient=replace(one.memory, **changes)))


def contents(content: Content) -> Change:
    return lambda recording: replace(recording, contents=(content, *recording.contents[1:]))


def adjoint(**changes: Any) -> Change:
    return lambda recording: replace(recording, adjoints=(replace(recording.adjoints[0], **changes), *recording.adjoints[1:]))


def state(**changes: Any) -> Change:
    return lambda recording: replace(
        recording, gradients=(replace(recording.gradients[0], **changes), *recording.gradients[1:])
    )


def ones(count: int, dtype: str = "float32") -> Content:
    return encode_content(np.ones(count, dtype))


HUGE = 1 << 40

CHANGES: dict[str, Change] = {
    "a pair that is not there": event(pair=7),
    "a negative pair": event(pair=-9),
    "a launch that is not there": event(launch=99),
    "contents that are not there": access(lambda one: replace(one, before=10**9)),
    "negative contents": access(lambda one: replace(one, after=-5)),
    "values that are not there": event(values={"factor": 1 << 40}),
    "a leaf that the kernel lacks": access(lambda one: replace(one, leaf="nothing.like.it")),
    "arrays of an event left out": event(accesses=()),
    "an event of an adjoint that is not there": adjoint(event=50),
    "a negative event of an adjoint": adjoint(event=-1),
    "an adjoint with fewer contents": adjoint(contents=()),
    "an adjoint with fewer gradients": adjoint(before=()),
    "gradients after that are not there": adjoint(after=(10**6, 10**6, 10**6)),
    "a start that is not there": state(start=10**6),
    "a seed that is not there": state(seed=10**6),
    "a huge array": memory(shape=(HUGE,)),
    "an array of many dimensions": memory(shape=(1,) * 5000, strides=(4,) * 5000),
    "an array without strides": memory(strides=()),
    "a huge stride": memory(strides=(HUGE,)),
    "a stride backwards": memory(strides=(-4,)),
    "a stride of 0": memory(strides=(0,)),
    "a negative shape": memory(shape=(-2,)),
    "an address beyond 64 bits": memory(address=1 << 80),
    "a negative address": memory(address=-64),
    "a type that is none": memory(dtype="no type"),
    "a type of Python objects": memory(dtype="object"),
    "another type of the array": memory(dtype="float64"),
    "another shape of the gradient": gradient(shape=(1, 2), strides=(8, 4)),
    "a huge gradient": gradient(shape=(HUGE,)),
    "a huge state": state(memory=Memory(64, (HUGE,), (4,), "float32")),
    "damaged contents": contents(Content("float32", (2,), "AAAA")),
    "contents of objects": contents(Content("object", (2,), ones(2).data)),
    "contents with a huge shape": contents(Content("float32", (HUGE, HUGE), ones(2).data)),
    "contents with a negative shape": contents(Content("float32", (-2, -1), ones(2).data)),
    "contents that grow": contents(Content("float32", (1 << 27,), encode_content(np.zeros(1 << 27, np.float32)).data)),
    "contents of another size": contents(ones(7)),
    "contents that are no numbers": contents(encode_content(np.full(2, np.nan, np.float32))),
    "a function that is not there": lambda recording: replace(recording, functions=(99, -5)),
    "no events": lambda recording: replace(recording, events=()),
    "no adjoints": lambda recording: replace(recording, adjoints=()),
    "no gradients": lambda recording: replace(recording, gradients=()),
    "adjoints twice": lambda recording: replace(recording, adjoints=recording.adjoints * 2),
    "kernels without pairs": lambda recording: replace(recording, kernels=(*recording.kernels, "another")),
    "a surrogate in a text": lambda recording: replace(recording, id="line\nbreak\x00", place="no place"),
}

HARMLESS = {
    "a stride of 0",
    "another type of the array",
    "a stride backwards",
    "contents that are no numbers",
    "a surrogate in a text",
    "no adjoints",
    "no gradients",
    "another shape of the gradient",
}
"""Changes after which the recording is one that a program could make: it may have any result."""


def test_a_hostile_recording_has_a_reason_and_the_next_one_is_checked() -> None:
    ((good,),) = recorded_runs([Run("overwritten_by_launch", False)]).values()
    programs = [replace(good, recording=change(good.recording)) for change in CHANGES.values()]
    *results, last = check_programs([*programs, good], seconds=20.0)
    assert last.status == "pass"
    wrong = {
        name: (result.status, result.reason)
        for name, result in zip(CHANGES, results, strict=True)
        if name not in HARMLESS and (result.status not in ("skipped", "inconclusive", "not_applicable") or not result.reason)
    }
    assert wrong == {}
    assert all("\n" not in result.reason for result in results)


@pytest.mark.parametrize("pairs", [(), None])
def test_other_pairs_than_those_of_the_recording_are_refused(pairs: Any) -> None:
    ((good,),) = recorded_runs([Run("member_overwritten", False)]).values()
    (result,) = check_programs([replace(good, pairs=good.pairs * 2 if pairs is None else pairs)])
    assert result.status == "skipped"
    assert result.reason == f"{0 if pairs == () else 2} pairs for 1 kernels"
