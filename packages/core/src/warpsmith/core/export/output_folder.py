"""The output folder of an export: an existing complete export is found again."""

from __future__ import annotations

from pathlib import Path

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.export.export_manifest import ExportArguments, ExportManifest
from warpsmith.core.files import storage


def finished_export(output: Path, arguments: ExportArguments) -> ExportManifest | None:
    """Return the manifest of a complete export with these arguments, or None if the folder is absent or empty.

    Raises:
        TargetError: if the folder contains anything else.
        WarpsmithError: if it contains an export with other arguments.
    """
    storage.check_new_folder(output)
    if not storage.names(output):
        return None
    manifest = ExportManifest.read(output)
    if differing := manifest.arguments.differences(arguments):
        raise WarpsmithError(
            f"{output} holds another export, whose {', '.join(differing)} differ: choose another --output, or delete it"
        )
    manifest.check_files(output)
    return manifest
