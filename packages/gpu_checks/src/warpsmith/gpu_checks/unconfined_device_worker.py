"""The worker of `warpsmith-gpu --unconfined`: the processes that drive the device keep all access, see `device_worker`."""

from __future__ import annotations

from warpsmith.gpu_checks.device_worker import serve

if __name__ == "__main__":
    serve(confined=False)
