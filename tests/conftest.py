"""Fixtures of all tests. Every process that tests start has the pinned hash seed."""

from __future__ import annotations

import contextlib
import fcntl
import gc
import os
import pickle
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import settings

import ray_cluster
from command_line import start_code
from command_processes import CommandProcesses
from made_datasets import BOTH, SMALL
from source_copy import Sources
from warpsmith.core.files.user_cache import VARIABLE
from warpsmith.extraction.warp.runtime import start_runtime
from warpsmith.validation.compiling.clang import precompile, precompiled_header
from warpsmith.validation.sandbox.headers import Headers

ROOT = Path(__file__).parents[1]


def pytest_configure(config: pytest.Config) -> None:
    """Let all processes of a test run share a cache directory, which no other run has written to."""
    if not hasattr(config, "workerinput"):
        folder = tempfile.TemporaryDirectory(prefix="cache-of-tests-")
        config.add_cleanup(folder.cleanup)
        os.environ[VARIABLE] = folder.name
        os.environ.setdefault(
            "OPENBLAS_NUM_THREADS", "1"
        )  # the arrays of tests are small: more threads wait, and none is faster


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave all but a few parameters of a function with the marker ``sampled`` to the exhaustive tests."""
    for tests in parameters_of(items).values():
        marker = tests[0].get_closest_marker("sampled")
        kept = len(tests) if marker is None else min(marker.args[0], len(tests))
        chosen = {number * len(tests) // kept for number in range(kept)}
        for number in set(range(len(tests))) - chosen:
            tests[number].add_marker(pytest.mark.exhaustive)


def parameters_of(items: Iterable[pytest.Item]) -> dict[str, list[pytest.Item]]:
    """Return the tests of each function, which differ in their parameters; those with a marker of their own count, too."""
    found: dict[str, list[pytest.Item]] = {}
    for item in items:
        found.setdefault(item.nodeid.partition("[")[0], []).append(item)
    return found


def pytest_collection_finish() -> None:
    """Collect garbage less often: with all test modules loaded, the collector takes a tenth of a run's time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


# A background process of a shell and its children ignore Ctrl-C, which some tests send.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Examples have no deadline, since a loaded machine may take any time.
settings.register_profile("unhurried", parent=settings.default, deadline=None)
settings.load_profile("unhurried")


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


Command = Callable[..., subprocess.CompletedProcess[str]]
Once = Callable[[str, Callable[[], Any]], Any]


@pytest.fixture(scope="session")
def run() -> Iterator[Command]:
    """Return a function that runs a command in a separate process, as a user does."""

    def start(tool: str, *arguments: Any, expect: int | None = 0, **options: Any) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONHASHSEED": "0"} | options.pop("env", {})  # another seed restarts the command
        code, texts = start_code(tool), [str(argument) for argument in arguments]
        if options.keys() <= {"cwd"}:
            done = processes.run(code, texts, environment, options.get("cwd"))
        else:
            command = [sys.executable, "-c", code, *texts]
            done = subprocess.run(command, capture_output=True, check=False, text=True, env=environment, **options)
        if expect is not None:
            assert done.returncode == expect, f"exit {done.returncode}\n{done.stdout}\n{done.stderr}"
        return done

    with CommandProcesses() as processes:
        yield start


@pytest.fixture(scope="session")
def dataset(run: Command, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a dataset for both devices, forward and backward: 100 pairs in four shards. Tests do not change it."""
    return _made_once(run, tmp_path_factory, "dataset", BOTH)


@pytest.fixture(scope="session")
def small(run: Command, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a smaller dataset, for commands that read all of it: 40 pairs in four shards. Tests do not change it."""
    return _made_once(run, tmp_path_factory, "small", SMALL)


def _made_once(run: Command, factory: pytest.TempPathFactory, name: str, options: Iterable[Any]) -> Path:
    """Return the folder of a dataset that the first of all processes of pytest that needs it makes."""
    with _shared_folder(factory, name) as (folder, is_new):
        if is_new:
            run("synthesis", "make", *options, "-o", folder / "both")
    return folder / "both"


@contextlib.contextmanager
def _shared_folder(factory: pytest.TempPathFactory, name: str) -> Iterator[tuple[Path, bool]]:
    """Lock a folder of all processes of pytest, and yield it and whether no process has left this context before."""
    base = factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / name
    folder.mkdir(exist_ok=True)
    with (folder / "made").open("a") as made:
        fcntl.flock(made, fcntl.LOCK_EX)
        yield folder, not made.tell()
        made.write("yes")


@pytest.fixture(scope="session")
def once(tmp_path_factory: pytest.TempPathFactory) -> Once:
    """Return a function that returns what a function returns which only the first of all processes of pytest calls."""

    def value(name: str, compute: Callable[[], Any]) -> Any:
        with _shared_folder(tmp_path_factory, name) as (folder, is_new):
            file = folder / "value.pickle"
            if is_new:
                file.write_bytes(pickle.dumps(compute()))
            return pickle.loads(file.read_bytes())  # noqa: S301 - a file of these processes

    return value


@pytest.fixture(scope="session")
def headers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Headers]:
    """Provide Warp's headers, precompiled once for all workers and processes of pytest, for blocks of the default size."""
    start_runtime()
    folder = tmp_path_factory.mktemp("headers")
    with Headers() as shared:
        with _shared_folder(tmp_path_factory, "precompiled"):  # the first process keeps them for all others
            shared.install(folder, lambda: precompile(folder))
        yield shared


@pytest.fixture(scope="session")
def scratch(tmp_path_factory: pytest.TempPathFactory, headers: Headers) -> Path:
    """Return a folder for compilers, with headers that are precompiled once for all tests."""
    folder = tmp_path_factory.mktemp("scratch")
    headers.install(folder, lambda: precompile(folder))
    return folder


@pytest.fixture(scope="session")
def tile_headers(tmp_path_factory: pytest.TempPathFactory, scratch: Path) -> None:
    """Add headers for blocks of 32 threads to `scratch`, precompiled once for all processes of pytest."""
    with _shared_folder(tmp_path_factory, "precompiled_32") as (folder, is_new):
        if is_new:
            shutil.copy(precompiled_header(32, scratch), folder)
        else:
            for header in folder.glob("*.pch"):
                shutil.copy(header, scratch)


@pytest.fixture
def own_dataset(dataset: Path, tmp_path: Path) -> Path:
    """Return a copy of `dataset` that a test may change."""
    return _copy(dataset, tmp_path / "copy")


@pytest.fixture
def own_small(small: Path, tmp_path: Path) -> Path:
    """Return a copy of `small` that a test may change."""
    return _copy(small, tmp_path / "copy")


def _copy(dataset: Path, copy: Path) -> Path:
    copy.mkdir()
    for path in dataset.iterdir():
        if path.is_file() and not path.name.startswith("verdicts"):
            (copy / path.name).write_bytes(path.read_bytes())
    return copy


@pytest.fixture
def sources(tmp_path: Path) -> Sources:
    """Return a copy of the sources of all packages."""
    return Sources(tmp_path / "sources")


@pytest.fixture(scope="session")
def object_store() -> Iterator[str]:
    """Start an S3 server that all later processes use, and yield its address."""
    server = pytest.importorskip("moto.server", reason="tests of object stores need moto[server]: run nox -s tests-ray")
    pytest.importorskip("s3fs", reason="tests of object stores need s3fs: run nox -s tests-ray")
    running = server.ThreadedMotoServer("127.0.0.1", 0)
    running.start()
    host, port = running.get_host_and_port()
    credentials = {"AWS_ENDPOINT_URL": f"http://{host}:{port}", "AWS_ACCESS_KEY_ID": "any", "AWS_SECRET_ACCESS_KEY": "any"}
    with mock.patch.dict(os.environ, credentials | {"AWS_DEFAULT_REGION": "us-east-1"}):
        yield credentials["AWS_ENDPOINT_URL"]
    running.stop()


@pytest.fixture(scope="session")
def bucket(object_store: str) -> Any:
    """Return a bucket of `object_store`, opened by boto3."""
    import boto3  # noqa: PLC0415 - installed with moto

    bucket = boto3.resource("s3", endpoint_url=object_store).Bucket("datasets")
    bucket.create()
    return bucket


@pytest.fixture(scope="session")
def ray_head(object_store: str) -> Iterator[Any]:  # noqa: ARG001 - nodes inherit its address
    """Start a Ray cluster of one node."""
    pytest.importorskip("ray", reason="tests on a cluster need Ray: run nox -s tests-ray")
    with ray_cluster.head() as cluster:
        yield cluster
