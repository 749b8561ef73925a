"""The process that workers are forked from: it imports slow modules once for all workers."""

from __future__ import annotations

import multiprocessing
import os
from multiprocessing import forkserver
from multiprocessing.context import BaseContext


def start(preload: str) -> BaseContext:
    """Start the server unless it runs, without waiting for it, and return the context that creates processes from it.

    The server is a new interpreter with hash seed 0, which its workers inherit. It ends with this process. Systems without fork
    servers start every process separately.

    Args:
        preload: the module that the server imports.
    """
    os.environ["PYTHONHASHSEED"] = "0"  # a new interpreter reads it
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([preload])
    forkserver.ensure_running()
    return context
