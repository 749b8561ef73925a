"""The worker of `warpsmith-gpu --unconfined`: the processes that drive the device keep all access, see `worker`."""

from __future__ import annotations

from warpsmith.gpu_checks.worker import serve

if __name__ == "__main__":
    serve(confined=False)
