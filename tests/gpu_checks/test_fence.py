"""The confinement of a process that drives a CUDA device: what CUDA needs works, everything else does not."""

from __future__ import annotations

import json
import os
import socket
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from warpsmith.gpu_checks import fence
from warpsmith.validation.confinement import landlock_version
from warpsmith.validation.confinement.system_call_numbers import numbers

pytestmark = pytest.mark.skipif(not numbers() or landlock_version() < 1, reason="this system has no Landlock or no seccomp")


def name_a_thread() -> None:
    failures: list[OSError] = []

    def name() -> None:
        try:
            Path(f"/proc/{os.getpid()}/task/{threading.get_native_id()}/comm").write_text("cuda")
        except OSError as error:
            failures.append(error)

    thread = threading.Thread(target=name)
    thread.start()
    thread.join()
    if failures:
        raise failures[0]


def local_socket(action: Callable[[socket.socket], object], kind: int = socket.SOCK_SEQPACKET) -> None:
    with socket.socket(socket.AF_UNIX, kind) as opened:
        action(opened)


def actions(folder: Path, outside: Path) -> dict[str, Callable[[], object]]:
    """Return actions by name; those that CUDA needs are first."""
    return {
        "write inside": lambda: (folder / "file").write_text(""),
        "read outside": outside.read_text,
        "name a thread": name_a_thread,
        "file in memory": lambda: os.close(os.memfd_create("cuda")),
        "event": lambda: os.close(os.eventfd(0)),
        "listen locally": lambda: local_socket(lambda opened: (opened.bind(f"\0warpsmith-{os.getpid()}"), opened.listen())),
        "pair of sockets": lambda: [one.close() for one in socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)],
        "write outside": lambda: outside.write_text(""),
        "create outside": lambda: outside.with_name("created").write_text(""),
        "run a program": lambda: os.execv(sys.executable, [sys.executable, "-c", ""]),  # noqa: S606
        "connect locally": lambda: local_socket(lambda opened: opened.connect("\0warpsmith"), socket.SOCK_STREAM),
        "send without connection": lambda: local_socket(lambda opened: opened.fileno(), socket.SOCK_DGRAM),
        "use the internet": lambda: socket.socket(socket.AF_INET, socket.SOCK_STREAM).close(),
    }


REFUSED = {"write outside", "create outside", "run a program", "connect locally", "send without connection", "use the internet"}


def test_a_driver_can_do_what_cuda_needs(tmp_path: Path) -> None:
    folder, outside = tmp_path / "driver", tmp_path / "outside"
    folder.mkdir()
    outside.write_text("")
    reader, writer = os.pipe()
    process = os.fork()
    if process == 0:
        done: dict[str, str] = {}
        try:
            fence.confine_driver(folder, "cuda:0")
            for name, action in actions(folder, outside).items():
                try:
                    action()
                    done[name] = ""
                except OSError as error:
                    done[name] = type(error).__name__
        finally:
            os.write(writer, json.dumps(done).encode())
            os._exit(0)
    os.waitpid(process, 0)
    done = json.loads(os.read(reader, 1 << 16))
    assert {name for name, error in done.items() if error} == REFUSED
    assert set(done) == set(actions(folder, outside))
    assert {done[name] for name in REFUSED} == {"PermissionError"}
    assert not outside.with_name("created").exists()


def test_device_nodes_are_found(tmp_path: Path) -> None:
    (tmp_path / "nvidia-caps").mkdir()
    (tmp_path / "nvidia0").write_text("no device")
    assert fence.device_nodes(tmp_path) == []
    assert Path("/dev/null") not in fence.device_nodes()


def test_the_environment_is_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(os, "environ", dict(os.environ))
        patch.setattr(tempfile, "tempdir", None)
        patch.setenv("SECRET", "1")
        patch.setenv("CUDA_VISIBLE_DEVICES", "1")
        fence.set_environment(tmp_path)
        assert "SECRET" not in os.environ
        assert set(os.environ) <= {*fence.KEPT, "HOME", "TMPDIR", "CUDA_CACHE_PATH", "CUDA_CACHE_DISABLE"}
        assert os.environ["CUDA_VISIBLE_DEVICES"] == "1"
