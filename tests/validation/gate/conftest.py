"""Pairs of a project: kernels with known adjoints, with the place where they come from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

import known_adjoints as known
from warpsmith.core.records.pair import Origin, Pair

MakePair = Callable[..., Pair]


@pytest.fixture(scope="session")
def project_pair() -> MakePair:
    """Return a function that makes the captured pair of a known kernel, on a line of a file."""

    def make(name: str, file: str = "sim/kernels.py", line: int = 7, reason: str = "") -> Pair:
        pair: Pair = known.pair_of(name, (known.WRONG | known.RIGHT)[name])
        origin = Origin(file=file, line=line, launch="none" if reason else "captured", reason=reason)
        launch = None if reason else pair.metadata.launch
        return replace(pair, metadata=replace(pair.metadata, launch=launch, origin=origin))

    return make
