"""An export is uploaded by the hub's own library, to a server that speaks the hub's protocol."""

from __future__ import annotations

import base64
import json
import os
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("huggingface_hub", reason="these tests need the library huggingface_hub")

OLD = "train-00007.parquet"
"""A file of an earlier export in the repository."""


class Hub(BaseHTTPRequestHandler):
    """The part of the hub's protocol that an upload uses."""

    files: dict[str, bytes]
    requests: list[tuple[str, dict[str, Any]]]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"] or 0))
        if self.path.endswith("/commit/main"):
            self.commit([json.loads(line) for line in body.splitlines()])
            return
        asked = json.loads(body)
        self.requests.append((self.path, asked))
        if self.headers["Authorization"] != "Bearer good":
            self.answer({"error": "Invalid credentials"}, 401)
        elif self.path.endswith("/repos/create"):
            self.answer({"url": f"http://{self.headers['Host']}/datasets/me/pairs"})
        elif self.path.endswith("/preupload/main"):
            self.answer(
                {"files": [{"path": one["path"], "uploadMode": "regular", "shouldIgnore": False} for one in asked["files"]]}
            )
        else:
            self.answer({"errors": [], "warnings": []})

    def do_GET(self) -> None:
        if "/tree/" in self.path:
            self.answer([{"type": "file", "path": name, "size": 1, "oid": "0" * 40} for name in self.files])
        else:
            self.answer({"id": "me/pairs", "sha": "0" * 40, "siblings": [{"rfilename": name} for name in self.files]})

    def commit(self, operations: list[dict[str, Any]]) -> None:
        for operation in operations:
            value = operation["value"]
            if operation["key"] == "file":
                self.files[value["path"]] = base64.b64decode(value["content"])
            elif operation["key"] == "deletedFile":
                del self.files[value["path"]]
        address = f"http://{self.headers['Host']}/datasets/me/pairs/commit/{'1' * 40}"
        self.answer({"success": True, "commitOid": "1" * 40, "commitUrl": address})

    def answer(self, content: Any, status: int = 200) -> None:
        encoded = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(encoded)))
        self.end_headers()
        self.wfile.write(encoded)

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[tuple[type[Hub], dict[str, str]]]:
    """Start a server; return its handler, which has the files of the repository, and the environment of a user of it."""

    handler = type("Handler", (Hub,), {"files": {OLD: b"old", "NOTES.md": b"notes"}, "requests": []})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}"
        user = {"HF_ENDPOINT": address, "HF_TOKEN": "good", "HF_HOME": str(tmp_path / "home"), "HF_HUB_DISABLE_XET": "1"}
        yield handler, user
        server.shutdown()


Run = Callable[..., Any]


@pytest.fixture(scope="module")
def folder(run: Run, small: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A complete export, which no test writes again."""
    made = tmp_path_factory.mktemp("hub") / "two words"
    run("core", "export", small, "-o", made)
    return made


def test_an_export_is_uploaded_and_replaces_an_earlier_one(run: Run, small: Path, folder: Path, hub: Any) -> None:
    handler, user = hub
    done = run("core", "export", small, "-o", folder, "--push-to-hub", "me/pairs", "--private", "--json", env=user)
    assert json.loads(done.stdout)["uploaded"].endswith(f"/datasets/me/pairs/commit/{'1' * 40}")
    assert handler.files.pop("NOTES.md") == b"notes"
    assert handler.files == {path.name: path.read_bytes() for path in folder.iterdir()}
    (created,) = [asked for path, asked in handler.requests if path.endswith("/repos/create")]
    assert (created["name"], created["organization"], created["type"]) == ("pairs", "me", "dataset")
    assert created.get("private") is True or created.get("visibility") == "private"
    done = run("core", "export", small, "-o", folder, "--push-to-hub", "me/pairs", env=user)
    assert "already complete" in done.stderr
    assert "uploaded: http" in done.stdout


@pytest.mark.parametrize(
    ("repository", "changed", "reason"),
    [
        ("me/pairs", {"HF_TOKEN": "bad"}, "Invalid"),
        ("me/pairs", {"HF_ENDPOINT": "http://127.0.0.1:9"}, "onnect"),
        ("no/such/name", {}, "no/such/name"),
    ],
)
def test_a_failed_upload_keeps_the_export_and_says_how_to_upload_it(
    run: Run, small: Path, folder: Path, hub: Any, repository: str, changed: dict[str, str], reason: str
) -> None:
    done = run("core", "export", small, "-o", folder, "--push-to-hub", repository, env=hub[1] | changed, expect=2)
    assert reason in done.stderr
    assert done.stderr.splitlines()[-1].startswith(f"error: not uploaded to {repository}: ")
    assert f"hf upload {repository} '{folder}' --repo-type dataset" in done.stderr  # the library has the tool
    assert (folder / "export.json").is_file()
    assert "Traceback" not in done.stderr


def test_without_the_extra_the_export_is_made_and_the_command_printed(run: Run, small: Path, tmp_path: Path) -> None:
    (tmp_path / "without").mkdir()
    (tmp_path / "without" / "huggingface_hub.py").write_text("raise ImportError('not here')")
    path = {"PYTHONPATH": os.pathsep.join([str(tmp_path / "without"), os.environ.get("PYTHONPATH", "")])}
    done = run("core", "export", small, "-o", tmp_path / "out", "--push-to-hub", "me/pairs", env=path, expect=2)
    assert "--push-to-hub needs the extra warpsmith-core[hub]: " in done.stderr
    assert " pip install " in done.stderr
    assert "'huggingface-hub" in done.stderr
    assert (tmp_path / "out" / "export.json").is_file()


def test_private_needs_a_repository(run: Run, small: Path) -> None:
    assert "--private belongs to --push-to-hub" in run("core", "export", small, "--private", expect=2).stderr
