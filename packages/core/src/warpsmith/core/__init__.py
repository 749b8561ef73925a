"""warpsmith.core: records, datasets on disk, inputs, similarity, export and execution. It imports no Warp.

The names below are imported on first use, because commands import this package before they need any of them.

Examples:
    >>> from warpsmith.core import Verdict
    >>> Verdict(id="3-2000-17", level="parse", status="pass", reason="", ms=1.5).status
    'pass'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from warpsmith.core.lazy import lazy_names

if TYPE_CHECKING:  # type checkers do not evaluate __getattr__
    from warpsmith.core.datasets.folder import Dataset
    from warpsmith.core.datasets.manifest import Manifest
    from warpsmith.core.records.jsonl import read_pairs
    from warpsmith.core.records.launch import Launch
    from warpsmith.core.records.pair import Pair
    from warpsmith.core.records.verdict import Verdict

    __version__: str

__all__ = ["Dataset", "Launch", "Manifest", "Pair", "Verdict", "__version__", "read_pairs"]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Dataset": "warpsmith.core.datasets.folder",
        "Launch": "warpsmith.core.records.launch",
        "Manifest": "warpsmith.core.datasets.manifest",
        "Pair": "warpsmith.core.records.pair",
        "Verdict": "warpsmith.core.records.verdict",
        "read_pairs": "warpsmith.core.records.jsonl",
    },
)
