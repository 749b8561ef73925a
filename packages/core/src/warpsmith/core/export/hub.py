"""Uploads an export to the Hugging Face hub."""

from __future__ import annotations

import shlex
from pathlib import Path

from warpsmith.core.errors import WarpsmithError, describe
from warpsmith.core.extras import HUB
from warpsmith.core.installation import script

SPLIT_FILES = ("train-*", "validation-*", "test-*")
"""The files of earlier exports in a repository, which a new one replaces."""


def upload_command(folder: Path, repository: str = "NAME") -> str | None:
    """Return the command of the hub's own tool that uploads a folder; None if the tool is not installed."""
    tool = script("hf")
    return tool and f"{tool} upload {repository} {shlex.quote(str(folder))} --repo-type dataset"


def push(folder: Path, repository: str, private: bool) -> str:
    """Upload an export as one commit, and create the repository if there is none.

    The token is that of `hf auth login`, or the variable ``HF_TOKEN``. Files of an earlier export are replaced.

    Args:
        folder: the export.
        repository: the name of the dataset, such as ``"me/warp-pairs"``.
        private: whether a new repository is private.

    Returns:
        The address of the commit.

    Raises:
        WarpsmithError: if the extra is not installed or the hub refuses; the message contains a command to upload later.
    """
    command = upload_command(folder, repository)
    advice = f"nothing is lost: upload {folder} later by {f'`{command}`' if command else 'the same command'}"
    try:
        hub = HUB.load("huggingface_hub").HfApi(library_name="warpsmith")
    except WarpsmithError as error:
        raise WarpsmithError(f"{error}; {advice}") from None
    try:
        name = hub.create_repo(repository, repo_type="dataset", private=private, exist_ok=True).repo_id
        commit = hub.upload_folder(
            repo_id=name,
            folder_path=folder,
            repo_type="dataset",
            commit_message="Export of warpsmith",
            delete_patterns=list(SPLIT_FILES),
        )
    except Exception as error:  # of the library, of its HTTP client, or of the system
        raise WarpsmithError(f"not uploaded to {repository}: {describe(error)}; {advice}") from error
    return str(commit.commit_url)
