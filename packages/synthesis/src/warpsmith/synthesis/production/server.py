"""The process that workers are forked from: it loads Warp, once for all of them, and the command itself does without.

It is started fresh, with the hash seed that Warp's text depends on, and workers have that from it. It ends with the command.
"""

from __future__ import annotations

import multiprocessing
import os
from multiprocessing import forkserver
from multiprocessing.context import BaseContext


def start() -> BaseContext:
    """Start the server unless it runs, without waiting for it, and return what makes processes out of it.

    Where a system has no such servers, processes are started one by one.
    """
    os.environ["PYTHONHASHSEED"] = "0"  # read by a process when it starts
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["warpsmith.synthesis.production.preload"])
    forkserver.ensure_running()
    return context
