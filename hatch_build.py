"""Dependencies of the distribution `warpsmith`, which contains no code: the seven packages of this repository."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from hatchling.metadata.plugin.interface import MetadataHookInterface

PACKAGES = ("core", "extraction", "synthesis", "simt", "validation", "scoring", "gpu-checks")

EXTRAS = {
    "all": ("core[export,hub,remote]", "simt[headers]", "validation[nvrtc,pytest,report,simt,stats]"),
    "ray": ("core[ray]",),
}
"""Training libraries are extras of warpsmith-scoring: their versions exclude each other."""


class Siblings(MetadataHookInterface):
    """Requires the packages of this version, or those beside this file where pip installs from a checkout.

    pip finds neither workspaces nor packages that no index has: `pip install "warpsmith[all] @ git+…"` needs their paths. uv
    finds them by `tool.uv.sources`, and a released distribution must not contain a path.
    """

    def update(self, metadata: dict[str, Any]) -> None:
        """Add the dependencies."""
        version = metadata["version"]
        metadata["dependencies"] = [self._requirement(name, version) for name in PACKAGES]
        metadata["optional-dependencies"] = {
            extra: [self._requirement(name, version) for name in names] for extra, names in EXTRAS.items()
        }

    def _requirement(self, name: str, version: str) -> str:
        folder = Path(self.root, "packages", name.partition("[")[0].replace("-", "_"))
        if folder.is_dir() and "PIP_BUILD_TRACKER" in os.environ:  # which pip sets for the builds that it starts
            return f"warpsmith-{name} @ {folder.as_uri()}"
        return f"warpsmith-{name}=={version}"
