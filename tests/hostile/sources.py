"""The hostile files of `tests/validation/sandbox/hostile` as rows."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from hostile.row import HARMLESS, Row, Setting, record_of, to_line

FOLDER = Path(__file__).parents[1] / "validation" / "sandbox" / "hostile"


def corpus() -> ModuleType:
    """Return the module with the table of the files."""
    if "hostile_corpus" not in sys.modules:
        spec = importlib.util.spec_from_file_location("hostile_corpus", FOLDER / "corpus.py")
        assert spec is not None
        assert spec.loader is not None
        sys.modules[spec.name] = module = importlib.util.module_from_spec(spec)  # dataclasses look up their module
        spec.loader.exec_module(module)
    return sys.modules["hostile_corpus"]


def _row(one: Any, acts_when_loaded: bool) -> Row:
    def content(setting: Setting) -> bytes:
        source = one.source(setting.marker)
        record = record_of(HARMLESS if acts_when_loaded else source, corpus().LAUNCH)
        return to_line(record | {"id": f"hostile-{one.name}", "python_source": source})

    return Row(one.name, one.attempts, content, one.level)


def rows() -> tuple[Row, ...]:
    """Return the rows of all files."""
    table = corpus()
    return tuple(_row(one, one in table.WHEN_LOADED or not one.extractable) for one in table.CORPUS)
