"""warpsmith.core: records, datasets on disk, inputs, similarity, export and execution. It imports no Warp.

All errors that warpsmith raises on purpose are a `WarpsmithError`.

The names below are imported on first use, because commands import this package before they need any of them.

Examples:
    >>> from warpsmith.core import Verdict
    >>> Verdict(id="5-2000-17", level="parse", status="pass", reason="", ms=1.5).status
    'pass'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpsmith.core.lazy import lazy_names

if TYPE_CHECKING:  # type checkers do not evaluate __getattr__
    from warpsmith.core.datasets.dataset_folder import Dataset
    from warpsmith.core.datasets.manifest import Manifest
    from warpsmith.core.errors import (
        DeviceError,
        KernelRejected,
        RecordError,
        SandboxError,
        TargetError,
        UnsupportedWarpError,
        WarpsmithError,
    )
    from warpsmith.core.records.encoding import encode
    from warpsmith.core.records.jsonl import read_pairs
    from warpsmith.core.records.launch import Launch
    from warpsmith.core.records.pair import Pair
    from warpsmith.core.records.verdict import Verdict

    __version__: str

__all__ = [
    "Dataset",
    "DeviceError",
    "KernelRejected",
    "Launch",
    "Manifest",
    "Pair",
    "RecordError",
    "SandboxError",
    "TargetError",
    "UnsupportedWarpError",
    "Verdict",
    "WarpsmithError",
    "__version__",
    "encode",
    "read_pairs",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Dataset": "warpsmith.core.datasets.dataset_folder",
        "DeviceError": "warpsmith.core.errors",
        "KernelRejected": "warpsmith.core.errors",
        "Launch": "warpsmith.core.records.launch",
        "Manifest": "warpsmith.core.datasets.manifest",
        "Pair": "warpsmith.core.records.pair",
        "RecordError": "warpsmith.core.errors",
        "SandboxError": "warpsmith.core.errors",
        "TargetError": "warpsmith.core.errors",
        "UnsupportedWarpError": "warpsmith.core.errors",
        "Verdict": "warpsmith.core.records.verdict",
        "WarpsmithError": "warpsmith.core.errors",
        "encode": "warpsmith.core.records.encoding",
        "read_pairs": "warpsmith.core.records.jsonl",
    },
)
