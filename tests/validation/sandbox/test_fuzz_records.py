"""Random damage to records and to files of datasets, found and shrunk by Hypothesis."""

from __future__ import annotations

import importlib
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from unittest import mock

import click
import pytest
from hypothesis import strategies as st

from checked_lines import verdicts_of
from hostile import launches
from hostile.fuzzing import SECONDS, SHORT, rounds
from hostile.harness import SHARD, write_dataset
from hostile.mutations import damaged, damaged_bytes, to_bytes
from hostile.row import neighbours
from warpsmith.core.commands import options
from warpsmith.core.commands.dataset import cli as dataset_cli
from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.records.jsonl import Line, decode
from warpsmith.validation.dataset_run import validate_dataset
from warpsmith.validation.levels.registry import levels_to
from warpsmith.validation.report.report_command import report
from warpsmith.validation.sandbox.headers import Headers
from warpsmith.validation.sandbox.supervisor import Supervisor
from warpsmith.validation.statistics.stats_command import stats

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the confinement of workers requires Linux")

GOOD = [json.loads(line) for line in neighbours(10)] + [launches.record()]
REQUIRED = ("--require", "parse=pass")


# ------------------------------------------------------------------------------------------------------- the levels


class Levels:
    """A supervisor with all levels, and the verdicts of harmless lines alone."""

    def __init__(self, supervisor: Supervisor) -> None:
        self._supervisor = supervisor
        self._before, self._after = (
            decode(line, Path(SHARD), number) for line, number in zip(neighbours(2), (1, 3), strict=True)
        )
        self._alone = self._outcomes([self._before, self._after])

    def _outcomes(self, lines: list[Line]) -> list[tuple[str, str, str, str]]:
        return [(one.id, one.level, one.status, one.reason) for one in verdicts_of(self._supervisor, lines)]

    def check(self, raw: bytes) -> None:
        """Check a damaged line between harmless ones, whose verdicts stay the same."""
        line = decode(raw, Path(SHARD), 2)
        found = self._outcomes([self._before, line, self._after])
        count = len(levels_to("gradient"))
        assert len(found) == 3 * count
        assert found[:count] + found[2 * count :] == self._alone
        own = [status for _, _, status, _ in found[count : 2 * count]]
        assert "fail" not in own or set(own[own.index("fail") + 1 :]) <= {"skipped"}
        assert all("\n" not in reason and identity == line.identity for identity, _, _, reason in found[count : 2 * count])


@pytest.fixture(scope="module")
def levels(headers: Headers) -> Iterator[Levels]:
    folder = str(Path(__file__).parent)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join([folder, os.environ.get("PYTHONPATH", "")]))
        patch.syspath_prepend(folder)
        short_limits = importlib.import_module("short_limits")  # workers import it by that name
        with Supervisor(short_limits.GUARDED, "short_limits", headers) as supervisor:
            yield Levels(supervisor)


ANY_LINE = st.one_of(
    damaged(st.sampled_from(GOOD)).map(to_bytes),
    damaged(st.sampled_from(GOOD), ("metadata", "launch")).map(to_bytes),
    damaged(st.sampled_from(GOOD), ("launch",)).map(to_bytes),
    damaged(st.sampled_from(GOOD), ("python_source",)).map(to_bytes),
    damaged_bytes(st.sampled_from(GOOD).map(to_bytes)).map(lambda content: content.replace(b"\n", b" ") + b"\n"),
)


# ----------------------------------------------------------------------------------------------------- the commands

TOOLS: dict[str, tuple[click.Command, tuple[str, ...]]] = {
    "filter": (dataset_cli, ("filter", "{data}", *REQUIRED, "-o", "{out}")),
    "export": (dataset_cli, ("export", "{data}", *REQUIRED, "--format", "jsonl", "-o", "{out}")),
    "stats": (stats, ("{data}", "--workers", "1")),
    "report": (report, ("{data}", "--workers", "1")),
}


class Commands:
    """A dataset with verdicts and statistics, whose copies are damaged, and the commands in this process."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir()
        lines = [to_bytes(record) for record in GOOD[:4]]
        write_dataset(folder, b"".join(lines), len(lines))
        validate_dataset(Dataset.open(folder), levels_to("parse"))
        assert self._run("stats", folder, folder) == 0
        self.contents = {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.is_file()}

    def _run(self, tool: str, data: Path, out: Path) -> int:
        command, arguments = TOOLS[tool]
        with mock.patch.object(sys, "argv", [tool, *(text.format(data=data, out=out) for text in arguments)]):
            return options.run(command)

    def check(self, example: tuple[str, str, bytes]) -> None:
        """Run a command on a copy of the dataset with one damaged file: it ends with an exit code, not with an exception."""
        tool, name, content = example
        with tempfile.TemporaryDirectory() as temporary:
            data = Path(temporary, "data")
            shutil.copytree(self.folder, data)
            (data / name).write_bytes(content)
            assert self._run(tool, data, Path(temporary, "out")) in (0, 1, 2)

    def examples(self) -> st.SearchStrategy[tuple[str, str, bytes]]:
        """Return the strategy of a command, the name of a file, and its damaged content."""
        return st.sampled_from(sorted(self.contents)).flatmap(
            lambda name: st.tuples(st.sampled_from(sorted(TOOLS)), st.just(name), self._damaged(name))
        )

    def _damaged(self, name: str) -> st.SearchStrategy[bytes]:
        content = self.contents[name]
        changes = [damaged_bytes(st.just(content))]
        if name.endswith(".json"):
            changes.append(damaged(st.just(json.loads(content))).map(to_bytes))
        elif name.endswith(".jsonl"):
            records = [json.loads(line) for line in content.splitlines()]
            changes.append(damaged(st.just(records)).map(lambda lines: b"".join(map(to_bytes, lines))))
        return st.one_of(changes)


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Commands:
    return Commands(tmp_path_factory.mktemp("fuzz") / "data")


@pytest.mark.exhaustive
def test_damaged_records_change_no_other_verdict(levels: Levels) -> None:
    rounds(levels.check, ANY_LINE, SHORT)


@pytest.mark.exhaustive
def test_commands_end_on_damaged_files(commands: Commands) -> None:
    rounds(commands.check, commands.examples(), SHORT)


@pytest.mark.exhaustive
def test_damaged_records_for_minutes(levels: Levels) -> None:
    rounds(levels.check, ANY_LINE, SECONDS / 3)


@pytest.mark.exhaustive
def test_damaged_files_for_minutes(commands: Commands) -> None:
    rounds(commands.check, commands.examples(), SECONDS / 3)
