"""The first answer of a worker: a report that is none, or a problem, means that no worker is ready."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from warpsmith.validation.confinement import Confinement
from warpsmith.validation.sandbox.client import Client, SandboxBroken, WorkerDied

MEASURES = {
    "landlock": 7, "seccomp": True, "network": False, "reading": False, "memory": 1, "file_size": 2, "open_files": 3,
    "processes": 0,
}  # fmt: skip


@pytest.fixture
def started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[object], Client]]:
    """Return a function that starts a worker with a given first answer."""
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    clients = []

    def start(answer: object) -> Client:
        code = (
            f"import sys\nfrom warpsmith.core.execution import framing\nframing.send(sys.stdout.buffer, {answer!r})\ninput()\n"
        )
        (tmp_path / "answering_worker.py").write_text(code)
        clients.append(Client("answering_worker"))
        clients[-1].start()
        return clients[-1]

    yield start
    for client in clients:
        client.close()


def test_the_measures_of_a_worker_are_read(started: Callable[[object], Client]) -> None:
    client = started({"ready": MEASURES, "problem": None})
    client.wait_until_ready()
    assert client.report == Confinement.from_json(MEASURES)


@pytest.mark.parametrize(
    "answer",
    [None, [], {"problem": None}, {"ready": {}, "problem": None}, {"ready": {**MEASURES, "memory": "1"}, "problem": None}],
)
def test_other_reports_are_nonsense(started: Callable[[object], Client], answer: object) -> None:
    client = started(answer)
    with pytest.raises(WorkerDied, match="nonsense"):
        client.wait_until_ready()
    assert (client.report, client.is_running) == (None, False)


def test_a_problem_ends_a_worker_that_has_no_report(started: Callable[[object], Client]) -> None:
    with pytest.raises(SandboxBroken, match="no memory"):
        started({"ready": {}, "problem": "no memory"}).wait_until_ready()
