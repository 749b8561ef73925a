"""The sandboxed worker of the scorer. One process runs references, another candidates; they never exchange anything."""

from __future__ import annotations

import contextlib

from warpsmith.scoring.judging.wire import COMPILE_PLAIN, READ, RUN
from warpsmith.validation.worker import check_worker

TASKS = {
    **check_worker.TASKS,
    READ: "warpsmith.scoring.judging.answer_reader:read_texts",
    RUN: "warpsmith.scoring.judging.answer_runner:run_texts",
    COMPILE_PLAIN: "warpsmith.scoring.judging.plain.plain_compiling:compile_plain",
}


def main(unconfined: bool = False) -> None:
    """Answer requests until there are no more, see `validation.sandbox.worker.main`."""
    with contextlib.suppress(BrokenPipeError):  # the scorer is gone
        check_worker.main(tasks=TASKS, unconfined=unconfined)


if __name__ == "__main__":
    main()
