"""Changes of the records of pairs, for tests of the levels that find them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

Record = dict[str, Any]

TEXTS = ("cpp_forward", "cpp_backward", "cuda_ir_forward", "cuda_ir_backward")


def replace_text(key: str, old: str, new: str) -> Callable[[Record], None]:
    """Return a change that replaces every `old` in a text."""

    def change(record: Record) -> None:
        assert old in record[key]
        record[key] = record[key].replace(old, new)

    return change


def substitute_text(key: str, pattern: str, new: str) -> Callable[[Record], None]:
    """Return a change that replaces the first match of a pattern in a text."""

    def change(record: Record) -> None:
        record[key], count = re.subn(pattern, new, record[key], count=1, flags=re.MULTILINE)
        assert count == 1

    return change


def update_metadata(**changes: Any) -> Callable[[Record], None]:
    """Return a change that sets fields of the metadata."""
    return lambda record: record["metadata"].update(changes)
