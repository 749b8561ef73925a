"""The worker of ``--unconfined``: it works without the measures that the system lacks, and may read all files of its user."""

from __future__ import annotations

import contextlib

from warpsmith.validation.worker.check_worker import main

if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):  # the client is gone
        main(unconfined=True)
