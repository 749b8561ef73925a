"""The worker for plain CUDA of ``--unconfined``: it may read all files of its user."""

from __future__ import annotations

from warpsmith.scoring.judging.plain.plain_worker import main

if __name__ == "__main__":
    main(unconfined=True)
