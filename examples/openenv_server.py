"""A server for OpenEnv: fresh kernels from a seed, judged without a GPU, with a client of several turns.

Install: pip install "warpsmith[all] @ git+ADDRESS" openenv-core uvicorn      with the address of the repository
Run:     python examples/openenv_server.py    serve, and play an episode of two answers, on a CPU, in about a minute
"""

from __future__ import annotations

import threading
import time
from itertools import islice

import uvicorn

from warpsmith.scoring import tasks_of
from warpsmith.scoring.openenv import KernelAction, KernelClient, application
from warpsmith.synthesis import pairs

PORT = 8765


def main() -> None:
    """Answer a task with nothing, read the report, and answer with the reference."""
    tasks = list(islice(tasks_of(pairs(seed=7), ["python_to_cuda"]), 4))
    server = uvicorn.Server(uvicorn.Config(application(tasks, turns=3), port=PORT, log_level="warning"))
    threading.Thread(target=server.run, daemon=True).start()
    while not server.started:
        time.sleep(0.1)
    with KernelClient(f"http://localhost:{PORT}").sync() as client:
        result = client.reset(seed=1)
        references = {task.task_id: task.pair.cuda_ir_forward for task in tasks}
        for completion in ("", references[result.observation.task_id]):
            result = client.step(KernelAction(completion=completion or ""))
            print(result.observation.turns_left, result.reward, result.done, result.observation.report)
    server.should_exit = True


if __name__ == "__main__":
    main()
