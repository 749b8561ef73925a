"""The sandboxed worker of the scorer. One process runs references, another candidates; they never exchange anything."""

from __future__ import annotations

import contextlib

from warpsmith.scoring.judging.wire import COMPILE_PLAIN, READ, RUN
from warpsmith.validation.sandbox import worker

TASKS = {
    **worker.TASKS,
    READ: "warpsmith.scoring.judging.reader:read_texts",
    RUN: "warpsmith.scoring.judging.runner:run_texts",
    COMPILE_PLAIN: "warpsmith.scoring.plain.compiling:compile_plain",
}


def main(unconfined: bool = False) -> None:
    """Answer requests until there are no more, see `validation.sandbox.worker.main`."""
    with contextlib.suppress(BrokenPipeError):  # the scorer is gone
        worker.main(tasks=TASKS, unconfined=unconfined)


if __name__ == "__main__":
    main()
