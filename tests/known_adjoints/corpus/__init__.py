"""A corpus of kernels with launches: each with the verdict that is right for its adjoint, and many with a wrong twin."""

from __future__ import annotations

import importlib
import pkgutil

from known_adjoints.corpus import kernels
from known_adjoints.corpus.probe import Probe

__all__ = ["PROBES"]


def _probes() -> dict[str, Probe]:
    found: dict[str, Probe] = {}
    for module in sorted(one.name for one in pkgutil.iter_modules(kernels.__path__)):
        table = importlib.import_module(f"{kernels.__name__}.{module}").PROBES
        assert not found.keys() & table.keys()
        found |= table
    return found


PROBES = _probes()
