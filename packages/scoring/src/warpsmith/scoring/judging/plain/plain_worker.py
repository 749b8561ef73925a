"""The sandboxed worker for plain CUDA. Each request is read, and its text run, in a fork that has seen no other request.

Pointers of plain CUDA reach all memory of the process that runs it. The fork is therefore made before the request is read: its
memory contains the machine code of one text, the launches of that text, and neither a seed nor an expected result. The process
that forks reads no request at all. Texts are compiled elsewhere, see `plain_compiling`.
"""

from __future__ import annotations

import contextlib
import gc
import os
import pkgutil
import select
import sys
from collections.abc import Callable
from typing import IO, NoReturn

from warpsmith.core.errors import describe
from warpsmith.core.execution import framing
from warpsmith.scoring.judging.worker_messages import RUN_PLAIN
from warpsmith.validation.confinement.system_call_numbers import dying_with_parent
from warpsmith.validation.sandbox import protocol
from warpsmith.validation.worker import check_worker


def main(unconfined: bool = False) -> None:
    """Answer requests until there are no more, each in its own fork.

    Args:
        unconfined: whether to work without the measures that the system lacks, with access to all files for reading.
    """
    with contextlib.suppress(BrokenPipeError):  # the scorer is gone
        check_worker.main(unconfined=unconfined, serve=_serve)


def _serve(requests: IO[bytes], answers: IO[bytes]) -> None:
    from warpsmith.scoring.judging.plain import linking  # noqa: PLC0415 - loads Warp, after the process is confined

    try:
        pkgutil.resolve_name(RUN_PLAIN.name)  # forks find it loaded, and the linker
        linking.driver()
    except Exception as error:  # noqa: BLE001 - the client reports every error
        framing.send(answers, {"problem": describe(error)})
        return
    gc.collect()
    gc.freeze()
    poll = select.poll()
    poll.register(requests.fileno(), select.POLLIN)
    status = 0
    while status == 0:
        poll.poll()
        die_with_parent = dying_with_parent()
        process = os.fork()
        if process == 0:
            _answer_next(requests, answers, die_with_parent)
        _, status = os.waitpid(process, 0)
    if os.WIFSIGNALED(status):
        os.kill(os.getpid(), os.WTERMSIG(status))  # the client learns how the fork ended
    if os.WEXITSTATUS(status) != _END:
        sys.exit(1)


_END = 3
"""The exit code of a fork that finds no further request."""


def _answer_next(requests: IO[bytes], answers: IO[bytes], die_with_parent: Callable[[], object]) -> NoReturn:
    code = 1
    try:
        die_with_parent()
        code = _END
        if (received := protocol.receive_request(requests)) is not None:
            code = 1
            request, lines = received
            framing.send(answers, check_worker.perform(request, lines))
            code = 0
    finally:
        os._exit(code)


if __name__ == "__main__":
    main()
