"""verl's loader of reward functions, its reward manager, and its dataset of Parquet files."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from warpsmith.scoring.tasks.task import Task
from warpsmith.scoring.verl import compute_score, write_parquet

pytestmark = [pytest.mark.training, pytest.mark.filterwarnings("ignore")]


class Bytes:
    """A tokenizer whose tokens are bytes."""

    def decode(self, tokens: Any, skip_special_tokens: bool = True) -> str:  # noqa: ARG002 - a keyword of verl
        return bytes(int(token) for token in tokens).decode()


def test_the_reward_manager_of_verl_scores_rows_of_the_file(
    library: Any, tasks: list[Task], right: list[str], tmp_path: Path
) -> None:
    manager = library("verl.experimental.reward_loop.reward_manager.naive").NaiveRewardManager
    loaded = library("verl.utils.import_utils").load_extern_object("pkg://warpsmith.scoring.verl", "compute_score")
    assert loaded is compute_score
    file = tmp_path / "train.parquet"
    assert write_parquet(tasks, file) == len(tasks)
    rows = library("datasets").Dataset.from_parquet(str(file), cache_dir=str(tmp_path / "cache")).to_list()
    assert [row["prompt"] for row in rows] == [task.messages for task in tasks]
    found = [one_score(library, manager, loaded, row, text) for row, text in zip(rows, [right[0], "?"], strict=True)]
    assert [one["reward_score"] for one in found] == [1.0, 0.0]
    assert [one["reward_extra_info"]["acc"] for one in found] == [1.0, 0.0]


def one_score(library: Any, manager: Any, function: Any, row: dict[str, Any], text: str) -> Any:
    torch, numpy, verl = library("torch"), library("numpy"), library("verl")
    tokens = torch.tensor([list(text.encode())])
    batch = {"prompts": torch.zeros(1, 1), "responses": tokens, "attention_mask": torch.ones(1, 1 + tokens.shape[1], dtype=int)}
    others = {name: numpy.array([row[name]], dtype=object) for name in ("data_source", "reward_model", "extra_info")}
    data = verl.DataProto.from_dict(tensors=batch, non_tensors=others)

    async def score() -> Any:
        return await manager(library("omegaconf").OmegaConf.create({}), Bytes(), function).run_single(data)

    return asyncio.run(score())


def test_the_older_reward_manager_of_verl(library: Any, tasks: list[Task], right: list[str], tmp_path: Path) -> None:
    manager = library("verl.workers.reward_manager.naive").NaiveRewardManager
    torch, numpy, verl = library("torch"), library("numpy"), library("verl")
    file = tmp_path / "train.parquet"
    write_parquet(tasks[:1], file)
    [row] = library("datasets").Dataset.from_parquet(str(file), cache_dir=str(tmp_path / "cache")).to_list()
    tokens = torch.tensor([list(right[0].encode())])
    batch = {
        "prompts": torch.full((1, 1), 65),
        "responses": tokens,
        "attention_mask": torch.ones(1, 1 + tokens.shape[1], dtype=int),
    }
    others = {name: numpy.array([row[name]], dtype=object) for name in ("data_source", "reward_model", "extra_info")}
    data = verl.DataProto.from_dict(tensors=batch, non_tensors=others)
    found = manager(Bytes(), 0, compute_score)(data, return_dict=True)
    assert found["reward_tensor"].sum().item() == 1.0
    assert found["reward_tensor"][0, -1].item() == 1.0
    assert found["reward_extra_info"]["acc"] == [1.0]
