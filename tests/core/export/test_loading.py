"""`datasets.load_dataset` reads datasets and exports, and finds the content of the records."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from core.export.exports import SPLITS, all_rows, records_of
from warpsmith.core.export.training_tasks import chat, exchanges
from warpsmith.core.records.pair import from_dict

FIELDS = {  # by task: the field in the question, and the field that answers it
    "python_to_cuda": ("python_source", "cuda_ir_forward"),
    "cuda_to_python": (None, "python_source"),
    "forward_to_adjoint": ("cuda_ir_forward", "cuda_ir_backward"),
    "description_to_python": (None, "python_source"),
    "specification_to_python": (None, "python_source"),
    "intent_to_python": (None, "python_source"),
    "cpp_to_cuda": ("cpp_forward", "cuda_ir_forward"),
    "cuda_to_cpp": ("cuda_ir_forward", "cpp_forward"),
}


def tasks_of(record: dict[str, Any]) -> set[str]:
    """Return the tasks of a record: a kernel without an adjoint has all but one."""
    return FIELDS.keys() - ({"forward_to_adjoint"} if record["cuda_ir_backward"] is None else set())


def without_places(text: str) -> str:
    """Return code without the lines of comments such as ``// kernel.py:7``."""
    return "".join(line for line in text.splitlines(keepends=True) if not re.fullmatch(r"\s*// \S+\.py:\d+\s*", line))


Load = Callable[..., Any]


@pytest.fixture(scope="module")
def load(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Load]:
    """The function of the library, offline and with a separate cache."""
    home = tmp_path_factory.mktemp("home")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HUB_OFFLINE", "1")
        patch.setenv("HF_HOME", str(home))
        datasets = pytest.importorskip("datasets", reason="these tests need the library datasets")
        datasets.disable_progress_bars()

        def read(*arguments: Any, **options: Any) -> Any:
            return datasets.load_dataset(*arguments, cache_dir=str(home / "cache"), **options)

        yield read


@pytest.fixture(scope="module")
def small(run: Callable[..., Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A dataset of 40 pairs, most with adjoints.

    The library infers columns from the first rows of a file: half of the pairs have structs, and none has an object.
    """
    folder = tmp_path_factory.mktemp("seeded") / "both"
    options = ["--categories", "struct,vector", "--complexity", "small", "--seed", 20, "-d", "both", "-b", "--shard-size", 10]
    run("synthesis", "make", "-n", 40, *options, "--workers", 1, "-o", folder)
    return folder


@pytest.fixture(scope="module")
def exported(run: Callable[..., Any], small: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The export of `small` in a format, half of it for training."""
    home, made = tmp_path_factory.mktemp("exports"), {}

    def make(form: str) -> Path:
        if form not in made:
            made[form] = home / form
            run("core", "export", small, "--format", form, "--split", "0.5,0.25,0.25", "--shard-size", 8, "-o", made[form])
        return made[form]

    return make


@pytest.fixture(scope="module")
def records(small: Path) -> dict[str, dict[str, Any]]:
    return {record["id"]: record for record in records_of(small)}


@pytest.mark.exhaustive
def test_raw_lines(load: Load, small: Path, records: dict[str, dict[str, Any]]) -> None:
    rows = load("json", data_files=str(small / "pairs-*.jsonl"), split="train")
    assert [row["id"] for row in rows] == list(records)
    for row in rows:
        assert {**row, "metadata": None} == {**records[row["id"]], "metadata": None}
        assert row["metadata"]["features"] == records[row["id"]]["metadata"]["features"]


@pytest.mark.sampled(1)
@pytest.mark.parametrize("form", ["parquet", "jsonl.zst", "jsonl"])
def test_records(load: Load, exported: Callable[[str], Path], records: dict[str, dict[str, Any]], form: str) -> None:
    splits = load(str(exported(form)))
    assert {name: len(split) for name, split in splits.items()} == {"train": 20, "validation": 10, "test": 10}
    rows = [row for split in splits.values() for row in split]
    assert sorted(row["id"] for row in rows) == sorted(records)
    for row in rows:
        record = records[row["id"]]
        assert {**row, "metadata": None} == {**record, "metadata": None}
        if form == "parquet":
            for name in ("launch", "module_options"):
                row["metadata"][name] = json.loads(row["metadata"][name])
            assert row == record
        assert row["metadata"]["launch"]["dim"] == record["metadata"]["launch"]["dim"]


def test_chats(load: Load, exported: Callable[[str], Path], records: dict[str, dict[str, Any]]) -> None:
    splits = load(str(exported("chat")))
    assert {name: len(set(split["id"])) for name, split in splits.items()} == {"train": 20, "validation": 10, "test": 10}
    assert sum(len(split) for split in splits.values()) == sum(len(tasks_of(record)) for record in records.values())
    for row in (row for split in splits.values() for row in split):
        *system, question, answer = row["messages"]
        assert (question["role"], answer["role"]) == ("user", "assistant")
        assert [message["role"] for message in system] in ([], ["system"])
        given, wanted = FIELDS[row["task"]]
        record = records[row["id"]]
        (code,) = re.findall(r"^```\w+\n(.*)\n```$", answer["content"], re.DOTALL)
        assert code == without_places(record[wanted]).strip("\n")
        if given is not None:
            (text,) = re.findall(r"^```\w+\n(.*)\n```$", question["content"], re.DOTALL | re.MULTILINE)
            assert text == without_places(record[given]).strip("\n")
        assert row["category"] == record["metadata"]["category"]


LOAD_ALONE = """
import sys, datasets
for folder in sys.argv[1:]:
    splits = datasets.load_dataset(folder, cache_dir=folder + "-cache")
    print(sum(len(split) for split in splits.values()))
"""


@pytest.mark.exhaustive
def test_datasets_alone_reads_parquet(exported: Callable[[str], Path], records: dict[str, Any], tmp_path: Path) -> None:
    """Without the library of zstd, which `datasets` does not install."""
    pytest.importorskip("datasets", reason="these tests need the library datasets")
    (tmp_path / "zstandard.py").write_text("raise ImportError('not installed')\n")
    environment = {**os.environ, "PYTHONPATH": str(tmp_path), "HF_HUB_OFFLINE": "1", "HF_HOME": str(tmp_path / "home")}
    folders = [str(exported(form)) for form in ("parquet", "chat", "completion", "prompt")]
    done = subprocess.run(
        [sys.executable, "-c", LOAD_ALONE, *folders], env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    rows = str(sum(len(tasks_of(record)) for record in records.values()))
    assert (done.stdout.split(), done.returncode) == (["40", rows, rows, rows], 0), done.stderr


@pytest.mark.sampled(1)
@pytest.mark.parametrize("form", ["chat", "completion"])
def test_packed_rows_are_the_same(load: Load, exported: Callable[[str], Path], form: str) -> None:
    tables, packed = load(str(exported(form))), load(str(exported(f"{form}.zst")))
    for name in SPLITS:
        assert list(tables[name]) == list(packed[name])


def test_prompts_are_the_questions_of_chats(
    load: Load, exported: Callable[[str], Path], records: dict[str, dict[str, Any]]
) -> None:
    chats, prompts = (load(str(exported(form))) for form in ("chat", "prompt"))
    kernels = {"python_to_cuda": "_cuda_kernel_forward", "forward_to_adjoint": "_cuda_kernel_backward", "cuda_to_python": ""}
    for name in SPLITS:
        for chat_row, row in zip(chats[name], prompts[name], strict=True):
            task_id, entry_point, pair = (row.pop(key) for key in ("task_id", "entry_point", "pair"))
            assert row == {"prompt": chat_row.pop("messages")[:-1], **chat_row}
            if row["task"] not in kernels:
                assert (task_id, entry_point, pair) == (None, None, None)
                continue
            record = records[row["id"]]
            assert task_id == f"{row['task']}/{row['id']}"
            assert entry_point == record["metadata"]["kernel_name"] + kernels[row["task"]]
            assert json.loads(pair) == record


def test_rows_have_the_tokens_of_their_texts(load: Load, exported: Callable[[str], Path]) -> None:
    """Without a tokenizer: 3.5 bytes for each."""
    for split in load(str(exported("completion"))).values():
        for row in split:
            question = re.sub(r"\n\n`+\w+\n$", "", row["prompt"])
            answer = re.sub(r"`+\n$", "", row["completion"])
            assert row["prompt_tokens"] == -(-len(question.encode()) * 2 // 7)
            assert abs(row["answer_tokens"] - len(answer.encode()) / 3.5) < 2


def test_completions_have_the_same_texts_as_chats(load: Load, exported: Callable[[str], Path]) -> None:
    chats, completions = (load(str(exported(form))) for form in ("chat", "completion"))
    for name in SPLITS:
        for chat_row, row in zip(chats[name], completions[name], strict=True):
            assert (chat_row["id"], chat_row["task"]) == (row["id"], row["task"])
            question, answer = (message["content"] for message in chat_row["messages"][-2:])
            assert row["prompt"] + row["completion"] == f"{question}\n\n{answer}\n"
            assert row["prompt"].endswith(("```python\n", "```cuda\n", "```cpp\n"))


def test_questions_about_code_do_not_quote_the_python(exported: Callable[[str], Path], records: dict[str, Any]) -> None:
    rows = [row for row in all_rows(exported("chat")) if row["task"] == "cuda_to_python"]
    assert len(rows) == len(records)
    for row in rows:
        question, cuda = row["messages"][-2]["content"], records[row["id"]]["cuda_ir_forward"]
        assert "<L " in cuda
        assert "<L " not in question
        kept = [line for line in without_places(cuda).strip("\n").splitlines() if not re.search(r"^\s*//.*<L \d+>\s*$", line)]
        assert "\n".join(kept) in question


def test_descriptions_name_the_kernel(exported: Callable[[str], Path], records: dict[str, Any]) -> None:
    for row in all_rows(exported("chat")):
        if row["task"] == "description_to_python":
            metadata = records[row["id"]]["metadata"]
            question = row["messages"][-2]["content"]
            assert metadata["description"] in question
            assert f"`{metadata['kernel_name']}`" in question


def test_every_pair_has_one_row_for_each_task(exported: Callable[[str], Path], records: dict[str, Any]) -> None:
    asked = [(row["id"], row["task"]) for row in all_rows(exported("completion"))]
    assert sorted(asked) == sorted((identity, task) for identity, record in records.items() for task in tasks_of(record))
    assert {task for _, task in asked} == FIELDS.keys()


def test_parquet_is_compressed_and_typed(exported: Callable[[str], Path]) -> None:
    files = sorted(exported("parquet").glob("*.parquet"))
    assert [path.name for path in files if path.name.startswith("train")] == [
        f"train-0000{number}.parquet" for number in range(3)
    ]
    schemas = [pq.read_schema(path) for path in files]
    assert all(schema.equals(schemas[0]) for schema in schemas)
    metadata = schemas[0].field("metadata").type
    assert metadata.field("seed").type == pa.int64()
    assert metadata.field("has_backward").type == pa.bool_()
    assert metadata.field("features").type == pa.list_(pa.string())
    for path in files:
        groups = pq.ParquetFile(path).metadata
        assert groups.row_group(0).column(0).has_offset_index
        assert groups.row_group(0).column(0).has_column_index
        assert {groups.row_group(0).column(number).compression for number in range(groups.num_columns)} == {"ZSTD"}


def test_pandas_reads_parquet(exported: Callable[[str], Path], records: dict[str, Any]) -> None:
    pandas = pytest.importorskip("pandas", reason="comes with datasets")
    table = pandas.concat(map(pandas.read_parquet, exported("parquet").glob("*.parquet")))
    assert sorted(table["id"]) == sorted(records)
    assert dict(zip(table["id"], table["python_source"], strict=True)) == {
        identity: record["python_source"] for identity, record in records.items()
    }


def test_lines_are_kept_byte_for_byte(exported: Callable[[str], Path], small: Path) -> None:
    def lines(folder: Path, pattern: str) -> list[bytes]:
        return sorted(line for path in folder.glob(pattern) for line in path.read_bytes().splitlines(keepends=True))

    assert lines(exported("jsonl"), "*-0*.jsonl") == lines(small, "pairs-*.jsonl")
    assert [row["id"] for row in all_rows(exported("jsonl.zst"))] == [row["id"] for row in all_rows(exported("jsonl"))]


def test_tasks_without_texts_are_omitted(run: Callable[..., Any], small: Path, tmp_path: Path) -> None:
    """A dataset of CUDA without adjoints has five of the eight tasks; without a task there is nothing to export."""
    less = tmp_path / "cuda.jsonl"
    with less.open("w") as file:
        for record in records_of(small)[:10]:
            record |= {"cpp_forward": None, "cpp_backward": None, "cuda_ir_backward": None}
            record["metadata"] |= {"device": "cuda", "ir_type": "cuda", "has_backward": False}
            file.write(json.dumps(record) + "\n")
    done = run("core", "export", less, "--format", "chat", "--split", "1", "--json")
    summary = json.loads(done.stdout)
    assert Path(summary["output"]) == tmp_path / "cuda-chat"
    assert summary["splits"]["train"]["tasks"] == dict.fromkeys(
        [
            "python_to_cuda", "cuda_to_python", "description_to_python", "specification_to_python", "intent_to_python",
        ],
        10,
    )  # fmt: skip
    done = run("core", "export", less, "--format", "chat", "--task", "cpp_to_cuda", "-o", tmp_path / "none", expect=2)
    assert "no pair" in done.stderr
    assert not (tmp_path / "none").exists()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["cuda-chat", "cuda.jsonl"]


def test_the_adjoint_has_the_language_of_the_question(records: dict[str, Any]) -> None:
    adjoints = [record for record in records.values() if record["cuda_ir_backward"]]
    assert len(adjoints) > 20
    for record in adjoints:
        without = from_dict(record | {"cuda_ir_forward": None, "cuda_ir_backward": None})
        (cpp,), (cuda,) = (list(exchanges(pair, ["forward_to_adjoint"])) for pair in (without, from_dict(record)))
        assert (cpp.language, cpp.text) == ("cpp", without_places(record["cpp_backward"]))
        assert (cuda.language, cuda.text) == ("cuda", without_places(record["cuda_ir_backward"]))
        assert without_places(record["cpp_forward"]).strip("\n") in cpp.question


def test_a_fence_does_not_occur_in_its_text(records: dict[str, Any]) -> None:
    record = next(iter(records.values()))
    pair = from_dict(record | {"python_source": record["python_source"] + '\n# ```python\n"""````"""\n'})
    (exchange,) = exchanges(pair, ["cuda_to_python"])
    answer = chat(pair, exchange)["messages"][-1]["content"]
    assert answer.startswith("`````python\n")
    assert answer.endswith("\n`````")
