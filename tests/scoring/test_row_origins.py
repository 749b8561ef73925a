"""Files of tasks have a file beside them that says which dataset, selection and versions they come from."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.scoring.commands.from_dataset import Selected, write_rows


def test_the_origin_is_that_of_the_dataset(root: Path, tmp_path: Path, capsys: Any) -> None:
    samples = root / "data" / "samples"
    selected = Selected(
        dataset=str(samples), kinds=(), output=tmp_path / "tasks.jsonl", limit=2, per_category=None, exclude=(), check=False,
        unconfined=False, as_json=True,
    )  # fmt: skip
    rows = [("python_to_cuda", {"task_id": "a"}), ("python_to_cuda", {"task_id": "b"})]
    assert write_rows(selected, "tasks", ["python_to_cuda"], lambda *_: iter(rows)) == 0
    assert json.loads(capsys.readouterr().out)["tasks"] == {"python_to_cuda": 2}
    origin = json.loads((tmp_path / "tasks.origin.json").read_text())
    manifest = json.loads((samples / "manifest.json").read_text())
    assert origin["counts"] == {"python_to_cuda": 2}
    assert origin["source"] == {name: manifest[name] for name in ("arguments", "versions")}
    assert origin["dataset"] == Dataset.open(samples).digests()
    assert origin["selection"] == {"limit": 2, "per_category": None, "exclude": []}
