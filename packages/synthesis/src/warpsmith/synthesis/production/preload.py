"""What the process that workers are forked from loads before the first of them is asked for, see `server`."""

from __future__ import annotations

import contextlib
import gc
import signal

signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the command, which ends this process

gc.disable()  # until a worker settles: what is loaded here stays

# a worker that cannot load what it needs says so itself
with contextlib.suppress(Exception):
    from warpsmith.extraction.accelerate import replacements, unsupported_reason
    from warpsmith.synthesis.production import generate_pairs, local  # noqa: F401
    from warpsmith.synthesis.writing.catalogue.categories import all_categories

    all_categories()
    if unsupported_reason() is None:
        replacements()  # for the modules that they come from
