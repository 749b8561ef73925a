"""The places of kernels in a repository: paths relative to its root, and links to GitHub's pages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from warpsmith.validation.gate.kernel_result import KernelResult


@dataclass(frozen=True, slots=True)
class Places:
    """Finds files in a repository.

    Attributes:
        folders: the folders that files may be relative to, such as that of the project.
        root: the root of the repository.
        address: the address of the files of a commit, such as ``https://github.com/owner/name/blob/1a2b3c``; may be empty.
    """

    folders: tuple[Path, ...]
    root: Path
    address: str = ""

    @classmethod
    def of(cls, folders: tuple[Path, ...], environment: Mapping[str, str]) -> Places:
        """Return the places of the repository that contains the first folder, with the address that GitHub Actions states."""
        folders = tuple(folder.absolute() for folder in folders)
        first = folders[0]
        root = next((folder for folder in (first, *first.parents) if (folder / ".git").exists()), first)
        variables = [environment.get(f"GITHUB_{name}", "") for name in ("SERVER_URL", "REPOSITORY", "SHA")]
        server, repository, commit = variables
        return cls((*folders, root), root, f"{server}/{repository}/blob/{commit}" if all(variables) else "")

    def path(self, result: KernelResult) -> str:
        """Return the file of a kernel relative to the root of the repository; as it is if it is not part of it."""
        for folder in self.folders if result.file else ():
            found = folder / result.file
            if found.is_file() and found.is_relative_to(self.root):
                return found.relative_to(self.root).as_posix()
        return result.file

    def link(self, result: KernelResult) -> str:
        """Return file and line as Markdown, with a link where the file is part of the repository."""
        path = self.path(result)
        text = f"`{path}:{result.line}`" if path else ""
        if not (self.address and path and (self.root / path).is_file()):
            return text
        return f"[{text}]({self.address}/{quote(path)}#L{result.line})"
