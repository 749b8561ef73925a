"""The worker of ``--unconfined``: it works without the measures that the system lacks, and may read all files of its user."""

from __future__ import annotations

from warpsmith.scoring.judging.answer_worker import main

if __name__ == "__main__":
    main(unconfined=True)
