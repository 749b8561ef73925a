r"""Write tasks as a Parquet file of verl, and judge completions by the reward function that verl loads.

Install: pip install "warpsmith[all] @ git+ADDRESS" pyarrow verl      with the address of the repository
Run:     python examples/verl_reward.py          judge two completions, on a CPU, in about a minute

A training run of verl gets the file and the function by these options:

    python -m verl.trainer.main_ppo data.train_files=train.parquet \
        reward.custom_reward_function.path=pkg://warpsmith.scoring.verl \
        reward.custom_reward_function.name=compute_score ...
"""

from __future__ import annotations

import tempfile
from itertools import islice
from pathlib import Path

from pyarrow import parquet
from verl.utils.import_utils import load_extern_object

from warpsmith.scoring import tasks_of
from warpsmith.scoring.verl import write_parquet
from warpsmith.synthesis import pairs


def main() -> None:
    """Write two tasks, and judge the reference and an empty answer of the first one."""
    tasks = list(islice(tasks_of(pairs(seed=7), ["python_to_cuda"]), 2))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "train.parquet"
        print(f"{write_parquet(tasks, file)} rows")
        row = parquet.read_table(file).to_pylist()[0]
    compute_score = load_extern_object("pkg://warpsmith.scoring.verl", "compute_score")
    for completion in (f"```cuda\n{tasks[0].pair.cuda_ir_forward}\n```", ""):
        print(compute_score(row["data_source"], completion, row["reward_model"]["ground_truth"], row["extra_info"]))


if __name__ == "__main__":
    main()
