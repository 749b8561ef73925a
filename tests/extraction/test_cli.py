"""The command `warpsmith-extract`: pipes, files, and errors of one line that say what to do."""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

AOT = Path(__file__).parents[1] / "oracles" / "aot.py"

KERNEL = """import warp as wp

print("a target may print")


@wp.kernel
def scale(x: wp.array(dtype=float), factor: float):
    \"\"\"Multiply by a factor.\"\"\"
    i = wp.tid()
    x[i] = x[i] * factor


@wp.kernel
def shift(x: wp.array(dtype=float), offset: float):
    i = wp.tid()
    x[i] = x[i] + offset
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(KERNEL)
    return path


def test_pairs_go_to_stdout_and_messages_to_stderr(run: Any, file: Path) -> None:
    done = run("extraction", file)
    first, second = map(json.loads, done.stdout.splitlines())
    assert (first["id"], second["id"]) == ("mine-0-mine.scale", "mine-0-mine.shift")
    assert first["metadata"]["description"] == "Multiply by a factor."
    assert first["metadata"]["device"] == "cpu"
    assert first["cuda_ir_forward"] is None
    assert first["cpp_backward"] is None
    assert "2 pairs, 0 rejects" in done.stderr


def extract_stdin(text: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    code = "from warpsmith.extraction.start import main; main()"
    command = [sys.executable, "-c", code, "-", *arguments]
    return subprocess.run(command, input=text, capture_output=True, text=True, check=False)


def test_kernels_are_read_from_stdin(run: Any, file: Path) -> None:
    done = extract_stdin(KERNEL, "-d", "both", "-b")
    assert done.returncode == 0, done.stderr
    piped, named = (
        [json.loads(line) for line in one.stdout.splitlines()] for one in (done, run("extraction", file, "-d", "both", "-b"))
    )
    assert [one["id"] for one in piped] == ["stdin-0-stdin.scale", "stdin-0-stdin.shift"]
    texts = ("python_source", "cpp_forward", "cpp_backward", "cuda_ir_forward", "cuda_ir_backward")
    assert [[one[text] for text in texts] for one in piped] == [[one[text] for text in texts] for one in named]


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("text", "reason"), [("def (", "stdin.py"), ("x = 1", "no @wp.kernel found in -"), ("", "no @wp.kernel found in -")]
)
def test_a_text_on_stdin_without_kernels_is_an_error_of_one_line(text: str, reason: str) -> None:
    done = extract_stdin(text)
    assert done.returncode == 2
    assert reason in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


def test_a_kernel_is_selected_by_name(run: Any, file: Path) -> None:
    done = run("extraction", file, "-k", "shift", "-d", "cuda", "-b")
    (pair,) = map(json.loads, done.stdout.splitlines())
    assert "shift_cuda_kernel_backward(" in pair["cuda_ir_backward"]


def test_show_prints_the_texts_one_after_another_in_a_pipe(run: Any, file: Path) -> None:
    shown = run("extraction", file, "-k", "scale", "-d", "both", "-b", "--show").stdout
    python, cpp, cuda = re.split(r"^(?:#|//) ---- .*: (?:Python|C\+\+|CUDA)$", shown, flags=re.MULTILINE)[1:]
    assert [function.name for function in ast.parse(python).body if isinstance(function, ast.FunctionDef)] == ["scale"]
    (pair,) = map(json.loads, run("extraction", file, "-k", "scale", "-d", "both", "-b").stdout.splitlines())
    for text, field in ((cpp, "cpp"), (cuda, "cuda_ir")):
        assert text.strip().endswith((pair[f"{field}_forward"] + pair[f"{field}_backward"]).strip())


def test_one_text_is_the_file_that_warp_compiles(run: Any, tmp_path: Path) -> None:
    source = "import warp as wp\n\n\n@wp.kernel\ndef twice(x: wp.array(dtype=float)):\n    x[wp.tid()] = 2.0 * x[wp.tid()]\n"
    (tmp_path / "kernel.py").write_text(source)
    job = {"source": source, "options": {"block_dim": 64}, "targets": ["cpu", "cuda"], "fresh": False, "compiled": False}
    (tmp_path / "jobs.json").write_text(json.dumps([job]))
    subprocess.run([sys.executable, AOT, tmp_path / "jobs.json", tmp_path], check=True, timeout=300)
    assert list(tmp_path.glob("*.error")) == []
    (tmp_path / "kernel.py").write_text(f"{source}\n\nwp.set_module_options({{'block_dim': 64}})\n")
    for language, suffix in (("cpp", "cpp"), ("cuda", "cu")):
        shown = run("extraction", "kernel.py", "-d", "both", "-b", "--text", language, cwd=tmp_path).stdout
        written = (tmp_path / f"0.{suffix}").read_text()
        assert sorted(shown.splitlines()) == sorted(written.splitlines())
        assert shown == written or language == "cpp", "the entry points of C++ follow both kernels in Warp's file"


def test_a_text_that_a_pair_lacks_is_an_error(run: Any, file: Path) -> None:
    done = run("extraction", file, "-k", "scale", "-d", "cuda", "--text", "cpp", expect=2)
    assert "has no C++: it was made for the device 'cuda'" in done.stderr


def test_the_summary_as_json(run: Any, file: Path) -> None:
    done = run("extraction", file, "-d", "cuda", "--json")
    summary = json.loads(done.stderr.splitlines()[-1])
    assert summary.pop("kernels_per_second") > 0
    assert summary == {"pairs": 2, "without_backward": ["scale", "shift"], "rejects": []}


def test_help_shows_examples(run: Any) -> None:
    text = run("extraction", "--help").stdout
    assert "Examples:" in text
    assert "Exit codes:" in text


BROKEN = {
    "syntax": ("def (", "SyntaxError"),
    "raises": ("import warp\nraise RuntimeError('no')", "RuntimeError: no"),
    "exits": ("import sys\nsys.exit(5)", "SystemExit"),
    "empty": ("x = 1", "no @wp.kernel found"),
}


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", BROKEN)
def test_a_target_whose_import_fails(run: Any, tmp_path: Path, name: str) -> None:
    source, reason = BROKEN[name]
    path = tmp_path / f"{name}.py"
    path.write_text(source)
    one_line_error(run("extraction", path, expect=2), reason)


def test_targets_that_do_not_exist(run: Any, tmp_path: Path) -> None:
    one_line_error(run("extraction", tmp_path / "none.py", expect=2), "no such file")
    one_line_error(run("extraction", "no_such_module_at_all", expect=2), "name a file, or a module that Python can import")
    one_line_error(run("extraction", "json", "-k", "nothing", expect=2), "no kernel named nothing")


def test_an_output_that_cannot_be_written(run: Any, file: Path) -> None:
    done = run("extraction", file, "-o", file / "below" / "pairs.jsonl", expect=2)
    assert "choose another folder" in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr


def one_line_error(done: Any, reason: str) -> None:
    assert done.stdout == ""
    (line,) = done.stderr.splitlines()
    assert line.startswith("error: ")
    assert reason in line


def test_a_module_that_changes_the_configuration_affects_no_other_module(run: Any, tmp_path: Path) -> None:
    package = tmp_path / "pack"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "a.py").write_text("import warp as wp\nwp.config.enable_backward = False\n" + KERNEL)
    (package / "b.py").write_text(KERNEL)
    (package / "c.py").write_text("import nothing_like_this")
    done = run(
        "extraction", "pack", "-d", "cuda", "-b", expect=1, env={"PYTHONPATH": f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}"}
    )
    pairs = {pair["id"]: pair for pair in map(json.loads, done.stdout.splitlines())}
    assert pairs["pack-0-pack.b.scale"]["metadata"]["has_backward"] is True
    assert "pack-0-pack.c: import: ModuleNotFoundError" in done.stderr


def test_a_public_package_includes_its_private_modules(run: Any, tmp_path: Path) -> None:
    private = tmp_path / "front" / "_src" / "part"
    private.mkdir(parents=True)
    (private / "__init__.py").write_text(KERNEL)
    (tmp_path / "front" / "_src" / "other.py").write_text(KERNEL)
    (tmp_path / "front" / "__init__.py").write_text("from front._src import other\n")
    (tmp_path / "front" / "part.py").write_text("from front._src.part import scale\n")
    environment = {"PYTHONPATH": f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}"}
    done = run("extraction", "front.part", "-d", "cuda", env=environment)
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [
        "front-0-front._src.part.scale",
        "front-0-front._src.part.shift",
    ]


def test_a_failed_run_leaves_no_file(run: Any, file: Path, tmp_path: Path) -> None:
    run("extraction", file, "no_such_module_at_all", "-o", tmp_path / "pairs.jsonl", expect=2)
    assert [path.name for path in tmp_path.iterdir() if "pairs" in path.name] == []


MANY = """import warp as wp

@wp.func
def helper(x: wp.vec3, y: float):
    r = x * y
    for i in range(3):
        r = r + wp.cross(r, wp.vec3(y, float(i), 1.0)) * wp.dot(r, x)
    return r

"""
ONE_OF_MANY = """
@wp.kernel
def k{number}(x: wp.array(dtype=wp.vec3), y: wp.array(dtype=float)):
    i = wp.tid()
    x[i] = helper(x[i], y[i]) + helper(x[i] * {number}.0, y[i])
"""


@pytest.mark.exhaustive
def test_two_thousand_kernels_need_little_more_memory_than_twenty(tmp_path: Path) -> None:
    few, many = (_peak_megabytes(tmp_path / f"of_{count}.py", count) for count in (20, 2000))
    assert many - few < 200


def _peak_megabytes(path: Path, count: int) -> float:
    path.write_text(MANY + "".join(ONE_OF_MANY.format(number=number) for number in range(count)))
    out = path.with_suffix(".jsonl")
    script = "from warpsmith.extraction.start import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(path), "-d", "both", "-b", "-o", str(out)], stderr=subprocess.DEVNULL
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    assert len(out.read_bytes().splitlines()) == count
    return usage.ru_maxrss / 1024
