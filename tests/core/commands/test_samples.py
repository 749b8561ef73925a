"""`--sample` means the same in every command: a number of pairs, a percentage, or all of them."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import click
import pytest

from warpsmith.core.datasets.dataset_folder import Dataset
from warpsmith.core.errors import WarpsmithError

MODULES = ("synthesis.cli", "validation.cli", "gpu_checks.cli")


def options_named_sample() -> dict[str, click.Option]:
    found = {}
    for module in MODULES:
        group = importlib.import_module(f"warpsmith.{module}").cli
        for name, command in group.commands.items():
            for parameter in command.params:
                if isinstance(parameter, click.Option) and "--sample" in parameter.opts:
                    found[f"{module} {name}"] = parameter
    return found


def test_every_command_takes_the_same_texts() -> None:
    found = options_named_sample()
    assert len(found) >= 3
    for name, option in found.items():
        context = click.Context(click.Command("c"))
        for text in ("7", "1%", "12.5%", "all"):
            assert option.process_value(context, text) == text, name
        for text in ("-1", "101%", "half", "1 %", ""):
            with pytest.raises(WarpsmithError, match="--sample is a number of pairs, a percentage such as 1%, or 'all'"):
                option.process_value(context, text)
        assert option.metavar == "N|N%|all"


@pytest.mark.sampled(1)
@pytest.mark.parametrize(("sample", "pairs"), [("10%", 4), ("3", 3), ("all", 40), ("1%", 1)])
def test_a_part_of_the_pairs_is_checked(run: Any, own_small: Path, sample: str, pairs: int) -> None:
    arguments = ("--sample", sample, "--workers", 1, "--again", "--json")
    assert json.loads(run("validation", "run", own_small, *arguments).stdout)["pairs"] == pairs


def test_the_size_of_a_file_is_its_number_of_lines(small: Path, tmp_path: Path) -> None:
    (tmp_path / "pairs.jsonl").write_bytes(b"{}\n\n" + (small / "pairs-00000.jsonl").read_bytes())
    assert Dataset.open(tmp_path / "pairs.jsonl").sample_size("50%") == 6  # half of eleven, rounded up
    assert Dataset.open(small).sample_size("50%") == 20
    with pytest.raises(WarpsmithError, match="selects no pair"):
        Dataset.open(small).sample_size("0%")
