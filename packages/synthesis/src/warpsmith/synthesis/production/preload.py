"""The imports of the fork server, see `synthesis_workers.PRELOAD`: every module that a worker needs."""

from __future__ import annotations

import contextlib
import gc
import signal

signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the command, which ends this process

gc.disable()  # until `tune_garbage_collection`, because everything loaded here stays

# A worker repeats an import that fails here, and reports the error.
with contextlib.suppress(Exception):
    from warpsmith.extraction.accelerate import replacements, unsupported_reason
    from warpsmith.synthesis.production import generate_pairs, shards  # noqa: F401
    from warpsmith.synthesis.programs.program_catalogue import program_schemes
    from warpsmith.synthesis.writing.catalogue.domains import all_domains

    all_domains()
    program_schemes()
    if unsupported_reason() is None:
        replacements()  # imports the modules that define them
