"""The verdicts of a supervisor in one list, for tests that look at all of them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from warpsmith.core.records.jsonl import Line
from warpsmith.core.records.verdict import Verdict
from warpsmith.validation.sandbox.supervisor import Supervisor


def verdicts_of(supervisor: Supervisor, lines: Sequence[Line]) -> list[Verdict]:
    """Return the verdicts on lines, line by line, each by all levels."""
    return list(chain.from_iterable(supervisor.check(lines)))
