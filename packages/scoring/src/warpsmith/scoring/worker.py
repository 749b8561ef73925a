"""The sandboxed worker of the scorer. One process runs references, another runs candidates; they never exchange anything."""

from __future__ import annotations

import contextlib

from warpsmith.scoring.wire import RUN
from warpsmith.validation.sandbox import worker

TASKS = {**worker.TASKS, RUN: "warpsmith.scoring.runner:run_texts"}

if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):  # the scorer is gone
        worker.main(tasks=TASKS)
