"""Load the sources on standard input, one per line, and print the audit events and module changes of each."""

from __future__ import annotations

import json
import math
import os
import sys
from typing import Any

import numpy as np
import warp as wp

from warpsmith.core.errors import KernelRejected
from warpsmith.extraction.targets.loading import FILE_NAME, loaded_kernel

WATCHED = ("os.", "subprocess.", "socket.", "shutil.", "ctypes.dlopen", "sys.addaudithook", "sys.setprofile", "pty.", "signal.")
HARMLESS = ("os.listdir", "os.scandir")

seen: list[str] = []


def hook(event: str, arguments: tuple[Any, ...]) -> None:
    """Record an event unless it is part of loading a module."""
    if event == "open":
        path, mode, flags = arguments
        writes = flags & (os.O_WRONLY | os.O_RDWR) or set(mode or "") & set("wax+")
        notable = writes or path == "written"
    elif event == "exec":
        notable = sys._getframe(1).f_code.co_filename == FILE_NAME  # called by the source, not by Warp
    else:
        notable = event.startswith(WATCHED) and event not in HARMLESS
    if notable:
        seen.append(event)


def state() -> dict[str, dict[str, int]]:
    """Return the attributes of modules that all pairs share, by the identity of each value."""
    modules = {"math": math, "warp": wp, "warp.config": wp.config, "numpy": np, "builtins": sys.modules["builtins"]}
    return {name: {key: id(value) for key, value in vars(module).items()} for name, module in modules.items()}


def load(source: str) -> list[str]:
    before = state()
    seen.clear()
    try:
        with loaded_kernel(source):
            pass
    except (KernelRejected, SystemExit):
        pass
    events = list(seen)
    after = state()
    for name, values in before.items():
        module = sys.modules[name]
        if any(after[name].get(key) != value for key, value in values.items()):
            events.append(f"changed {name}")
            vars(module).update(originals[name])
    return events


originals = {name: dict(vars(sys.modules[name])) for name in state()}
sys.addaudithook(hook)
replies, sys.stdout = sys.stdout, sys.stderr
for request in sys.stdin:
    replies.write(json.dumps(load(json.loads(request))) + "\n")
    replies.flush()
