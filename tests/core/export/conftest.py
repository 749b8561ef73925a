"""Fixtures of the tests of exports: the command in this process."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import pytest

from core.export.exports import Here
from warpsmith.core.commands import options
from warpsmith.core.commands.dataset import cli


@pytest.fixture
def here(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Here:
    """Run the command in this process; return its exit code, stdout and stderr."""

    def start(*arguments: Any) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["warpsmith-dataset", "export", *map(str, arguments)])
        return options.run(cli), *capsys.readouterr()

    return start


@pytest.fixture
def summary(here: Here) -> Callable[..., dict[str, Any]]:
    """Export in this process and return what ``--json`` prints."""

    def export(*arguments: Any) -> dict[str, Any]:
        code, out, err = here(*arguments, "--json")
        assert code == 0, err
        return dict(json.loads(out))

    return export
