"""The allowlist rejects Python that does more than define kernels when it is loaded, and accepts the Python of kernels."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest

from warpsmith.core.records.jsonl import Line, decode
from warpsmith.validation.allowlist.kernel_file import source_violation

FOLDER = Path(__file__).parent
HEADER = "import math\n\nimport numpy as np\nimport warp as wp\n\n"
KERNEL = "\n\n@wp.kernel\ndef k(x: wp.array(dtype=float)):\n    x[wp.tid()] = 1.0\n"


def statements(name: str) -> list[str]:
    """Return the lines of a file in the folder `allowlist`."""
    return (FOLDER / name).read_text().strip().split("\n")


def modules(name: str) -> list[str]:
    """Return the parts of a file in the folder `allowlist`, which lines of equals signs separate."""
    return [module.strip("\n") + "\n" for module in (FOLDER / name).read_text().split("===\n")]


def refusal(source: str) -> str | None:
    """Return why the allow list refuses a source, or None."""
    return source_violation(source, ast.parse(source))


@pytest.mark.parametrize("source", [*statements("rejected_statements.txt"), *modules("rejected_modules.txt")])
def test_hostile_python_is_rejected(source: str) -> None:
    reason = refusal(HEADER + source + KERNEL)
    assert reason
    assert reason.startswith("line ")


@pytest.mark.parametrize("source", [*statements("allowed_statements.txt"), *modules("allowed_modules.txt")])
def test_python_that_kernels_need_is_allowed(source: str) -> None:
    assert refusal(HEADER + "import enum\nfrom typing import Any\n" + source + KERNEL) is None


def test_every_pair_of_a_dataset_is_allowed(lines: list[Line]) -> None:
    assert [refusal(json.loads(line.raw)["python_source"]) for line in lines] == [None] * 100


def test_source_extracted_from_real_code_is_allowed(run: Any, root: Path, tmp_path: Path) -> None:
    folder = root / "tests" / "extraction"
    run("extraction", folder / "kernels.py", "-d", "cuda", "-b", "-o", tmp_path / "real.jsonl", cwd=folder, expect=None)
    records = [json.loads(line) for line in (tmp_path / "real.jsonl").read_text().splitlines()]
    assert len(records) > 10
    violations = {record["id"]: refusal(record["python_source"]) for record in records}
    assert {identity: reason for identity, reason in violations.items() if reason} == {}


@pytest.mark.parametrize(
    "source",
    [
        "A = '\0'\n",
        "\ufeffimport os\n",
        "A = " + 5_000 * "(" + "1" + 5_000 * ")" + "\n",
        "A = " + 50_000 * "-" + "1\n",
        "A = " + " + ".join(["1"] * 50_000) + "\n",
        "if 1:\n    pass\n" + 5_000 * "elif 1:\n    pass\n",
        "A = 1\n" + 200 * "if A:\n" + "    pass\n",
        "A = [" + 5_000 * "[" + "\n",
        "\x0cimport os\n",
        "# coding: utf-7\nimport os\n",
        "import o\u017f\n",
        "import \U0001d428\U0001d42c\n",
    ],
    ids=["null byte", "byte order mark", "brackets", "signs", "sum", "elif", "indentation", "open brackets", "form feed",
         "coding", "long s", "mathematical letters"],
)  # fmt: skip
def test_sources_that_attack_the_parser_are_rejected(
    lines: list[Line], change_line: Any, source: str, check_in_worker: Any
) -> None:
    line = change_line(lines[0], lambda record: record.update(python_source=source + record["python_source"]))
    (verdict,) = check_in_worker([line], "parse")
    assert verdict.status == "fail"
    assert "died" not in verdict.reason


def test_a_lone_surrogate_is_not_json(lines: list[Line]) -> None:
    raw = lines[0].raw.replace(b'"python_source":"', b'"python_source":"\\ud800')
    line = decode(raw, lines[0].path, 1)
    assert line.pair is None
    assert "not JSON" in (line.error or "")
