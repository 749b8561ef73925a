"""Shards, manifests and targets that are no regular files, cannot be read or written, or are damaged: one line, exit code 2."""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from warpsmith.core.commands import options
from warpsmith.core.commands.dataset import cli
from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.datasets.verdict_files import Judge
from warpsmith.core.errors import TargetError
from warpsmith.core.records.jsonl import read_lines
from warpsmith.core.records.verdict import Verdict

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def command(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run `warpsmith-dataset` in this process; return its exit code, stdout and stderr."""

    def start(*arguments: Any) -> tuple[int, str, str]:
        monkeypatch.setattr(sys, "argv", ["warpsmith-dataset", *map(str, arguments)])
        return options.run(cli), *capsys.readouterr()

    return start


@pytest.fixture
def checked(own_small: Path) -> Path:
    """`small` with passing verdicts of `schema`."""
    opened = Dataset.open(own_small)
    for shard in opened.shards:
        lines = read_lines(shard)
        verdicts = {(line.number, "schema"): Verdict(line.identity, "schema", "pass", "", 1.0) for line in lines}
        opened.write_verdicts(shard, verdicts, {"schema": Judge("1", "1.19.0")})
    return own_small


def bind_socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as end:
        here = Path.cwd()
        os.chdir(path.parent)  # the paths of sockets are short
        try:
            end.bind(path.name)
        finally:
            os.chdir(here)


UNUSABLE: dict[str, tuple[Callable[[Path], object], str]] = {
    "folder": (Path.mkdir, "is a folder, not a file"),
    "FIFO": (os.mkfifo, "is a FIFO, not a file"),
    "socket": (bind_socket, "is a socket, not a file"),
    "device": (lambda path: path.symlink_to("/dev/zero"), "is a device, not a file"),
    "looping link": (lambda path: path.symlink_to(path.name), "cannot read"),
    "file that cannot be read": (lambda path: path.symlink_to("/proc/self/mem"), "cannot read"),
}


def commands(dataset: Path, tmp_path: Path) -> list[tuple[Any, ...]]:
    return [
        ("show", dataset, "--index", 0),
        ("filter", dataset, "--require", "schema=pass", "-o", tmp_path / "new"),
        ("export", dataset, "-o", tmp_path / "new"),
    ]


@pytest.mark.parametrize("name", ["pairs-00000.jsonl", "manifest.json"])
@pytest.mark.parametrize("kind", UNUSABLE)
def test_unusable_files_are_one_line(command: Run, checked: Path, tmp_path: Path, name: str, kind: str) -> None:
    make, message = UNUSABLE[kind]
    (checked / name).unlink()
    make(checked / name)
    for arguments in commands(checked, tmp_path):
        code, out, err = command(*arguments)
        reasons = [line for line in err.splitlines() if line.startswith("error: ")]
        if kind == "looping link" and name == "manifest.json":
            message = "is not whole: there is no manifest.json"
            if arguments[0] == "show":
                continue
        assert (code, out, len(reasons)) == (2, "", 1), arguments[0]
        assert message in reasons[0]
        assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("name", ["verdicts-00000.jsonl", "verdicts-00000.json"])
@pytest.mark.parametrize("kind", ["folder", "FIFO", "device", "file that cannot be read"])
def test_unusable_verdict_files_are_one_line(command: Run, checked: Path, tmp_path: Path, name: str, kind: str) -> None:
    make, message = UNUSABLE[kind]
    (checked / name).unlink()
    make(checked / name)
    code, _, err = command("filter", checked, "--require", "schema=pass", "-o", tmp_path / "new")
    assert code == 2
    assert message in err
    assert list(tmp_path.glob("new/*")) == []


@pytest.mark.parametrize("kind", ["folder", "FIFO", "dangling link"])
def test_a_place_for_verdicts_that_is_taken_is_found_before_the_checks(run: Any, own_small: Path, kind: str) -> None:
    path = own_small / "verdicts-00000.json"
    path.symlink_to("nowhere") if kind == "dangling link" else UNUSABLE[kind][0](path)
    done = run("validation", "run", own_small, "--workers", 1, expect=2)
    assert done.stderr.count("\n") == 1
    assert "verdicts-00000.json is a" in done.stderr
    assert not (own_small / "verdicts-00000.jsonl").exists()


def test_a_shard_with_a_name_that_cannot_be_printed_is_refused(own_small: Path) -> None:
    for name in ("pairs-\x1b[2J.jsonl", "pairs-\udcff.jsonl"):
        path = own_small / name
        path.write_text("{}\n")
        for dataset in (own_small, path):
            with pytest.raises(TargetError, match="cannot be printed: rename the file") as caught:
                Dataset.open(dataset)
            assert str(caught.value).isascii()
        path.unlink()


# ---------------------------------------------------------------------------------------------------------- manifests


def change(**members: Any) -> Callable[[dict[str, Any]], object]:
    return lambda content: content.update(members)


def change_shard(**members: Any) -> Callable[[dict[str, Any]], object]:
    return lambda content: content["shards"][0].update(members)


@pytest.mark.parametrize(
    "damage",
    [
        change_shard(file="../pairs-00000.jsonl"),
        change_shard(file="/etc/passwd"),
        change_shard(file="pairs\0.jsonl"),
        change_shard(file=".."),
        change_shard(file=""),
        change_shard(pairs=-1),
        change_shard(bytes=2**63),
        change(pairs=10**300),
        change(pairs=-5),
        change(categories={"vector": -1}),
        change(arguments={"count": 10**30}),
        change(source={"seed": [10**30]}),
        change(arguments=[]),
    ],
)
def test_hostile_manifests_are_one_line(
    command: Run, checked: Path, tmp_path: Path, damage: Callable[[dict[str, Any]], object]
) -> None:
    content = json.loads((checked / "manifest.json").read_text())
    damage(content)
    (checked / "manifest.json").write_text(json.dumps(content))
    for arguments in commands(checked, tmp_path):
        code, _, err = command(*arguments)
        assert (code, "manifest.json is damaged" in err, err.count("\n")) == (2, True, 1)
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize(
    "content",
    [b"\xff\xfe{}", b'{"arguments": ' + b"[" * 5000 + b"]" * 5000 + b"}", b"\0" * 100],
    ids=["no UTF-8", "nested", "zeros"],
)
def test_unreadable_manifests_are_one_line(command: Run, checked: Path, tmp_path: Path, content: bytes) -> None:
    (checked / "manifest.json").write_bytes(content)
    for arguments in commands(checked, tmp_path):
        code, _, err = command(*arguments)
        assert (code, "manifest.json is damaged" in err, err.count("\n")) == (2, True, 1)


def test_a_huge_manifest_is_not_read(checked: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (checked / "manifest.json").open("wb") as file:
        file.truncate(1 << 40)
    monkeypatch.setattr("warpsmith.core.datasets.manifest.MAX_MANIFEST_BYTES", 1 << 20)
    with pytest.raises(TargetError, match="has more than 1,048,576 bytes"):
        Dataset.open(checked)


# ----------------------------------------------------------------------------------------------------------- targets


@pytest.mark.parametrize("tool", ["filter", "export"])
@pytest.mark.parametrize("target", ["link", "dangling link", "looping link", "FIFO", "file", "read-only", "below a file"])
def test_unusable_targets_are_one_line(command: Run, checked: Path, tmp_path: Path, tool: str, target: str) -> None:
    output = tmp_path / "out"
    if target == "link":
        (tmp_path / "real").mkdir()
        output.symlink_to("real")
    elif target == "dangling link":
        output.symlink_to("nowhere")
    elif target == "looping link":
        output.symlink_to("out")
    elif target == "FIFO":
        os.mkfifo(output)
    elif target == "file":
        output.write_text("mine")
    elif target == "read-only":
        output = Path("/proc/self/out")
    else:
        output = checked / "manifest.json" / "out"
    code, out, err = command(tool, checked, "--require", "schema=pass", "-o", output)
    reasons = [line for line in err.splitlines() if line.startswith("error: ")]
    assert (code, out, len(reasons)) == (2, "", 1)
    assert "Traceback" not in err
    assert not (tmp_path / "real").exists() or list((tmp_path / "real").iterdir()) == []


def test_filter_requires_a_complete_dataset_as_export_does(command: Run, checked: Path, tmp_path: Path) -> None:
    shard = checked / "pairs-00002.jsonl"
    shard.write_bytes(shard.read_bytes().replace(b"wp.tid()", b"wp.tid( )", 1))
    messages = {command(*arguments)[2] for arguments in commands(checked, tmp_path)[1:]}
    (message,) = messages
    assert "is not whole: pairs-00002.jsonl is not the file that was made" in message


def test_a_shard_that_changes_while_it_is_read_is_an_error(
    command: Run, checked: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("datasets.filter", "export.first_pass"):
        module = f"warpsmith.core.{name}.index_dataset"
        real = __import__(f"warpsmith.core.{name}", fromlist=["x"]).index_dataset

        def index(shards: Any, real: Any = real) -> Any:
            found = real(shards)
            path = checked / "pairs-00003.jsonl"
            path.write_bytes(path.read_bytes() + b"\n")
            return found

        monkeypatch.setattr(module, index)
    for arguments in commands(checked, tmp_path)[1:]:
        original = (checked / "pairs-00003.jsonl").read_bytes()
        code, _, err = command(*arguments)
        (checked / "pairs-00003.jsonl").write_bytes(original)
        assert code == 2
        assert "pairs-00003.jsonl changed while it was read: run the command again" in err
        assert list(tmp_path.glob("new/*")) == []


# ------------------------------------------------------------------------------------------ lines that are never copied


@pytest.mark.parametrize("condition", ["--require", "--only"])
@pytest.mark.parametrize("status", ["pass", "fail"])
def test_repeated_ids_and_broken_lines_are_never_copied(
    command: Run, run: Any, small: Path, tmp_path: Path, condition: str, status: str
) -> None:
    lines = (small / "pairs-00000.jsonl").read_bytes().splitlines(keepends=True)
    twin = lines[2].replace(b"wp.kernel", b"wp.func")
    wrong = lines[5].replace(b'"schema_version":2', b'"schema_version":7')
    data = tmp_path / "data.jsonl"
    data.write_bytes(b"".join([*lines[:5], b"{}\n", b'{"id": 7\n', twin, wrong]))
    run("validation", "run", data, "--level", "schema", "--workers", 1, expect=1)
    given = (condition, f"schema={status}")
    code, out, err = command("filter", data, *given, "-o", tmp_path / "filtered", "--json")
    expected = [lines[0], lines[1], lines[3], lines[4]] if status == "pass" else [wrong]
    assert (code, json.loads(out)["taken"]) == (0, len(expected)), err
    assert (tmp_path / "filtered" / "data.jsonl").read_bytes() == b"".join(expected)
    assert (json.loads(out)["repeated_ids"], json.loads(out)["not_records"]) == (2, 2)
    assert command("filter", data, *given, "-o", tmp_path / "filtered", "--json")[1] == out
    printed = command("filter", data, *given, "-o", tmp_path / "again")[2]
    assert "2 lines left out because another line has the same id" in printed
    assert "2 lines left out because they are no records" in printed
    code, out, err = command("export", data, *given, "--format", "jsonl.zst", "-o", tmp_path / "out", "--json")
    assert code == 0, err
    result = json.loads(out)
    assert (result["pairs"], result["left_out"]["repeated_ids"], result["left_out"]["not_records"]) == (len(expected), 2, 2)


def test_a_text_is_no_dataset(command: Run, tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("# A title\n")
    code, _, err = command("filter", tmp_path / "README.md", "--require", "schema=pass", "-o", tmp_path / "new")
    assert code == 2
    assert "is no JSONL file" in err
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]
