"""The depth of the calls of kernels: how many functions of a project are on the longest path of calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict


class FileCalls(TypedDict):
    """The names that the functions and the kernels of a file call."""

    functions: dict[str, list[str]]
    kernels: list[list[str]]


def call_depths(files: Sequence[FileCalls]) -> list[int]:
    """Return the depth of each kernel of a project: 0 without a call of its functions, 1 if these call none, and so on.

    A name is that of a function of the same file, or else of any file of the project.
    """
    resolver = _Resolver(files)
    return [resolver.deepest(index, called) for index, file in enumerate(files) for called in file["kernels"]]


class _Resolver:
    def __init__(self, files: Sequence[FileCalls]) -> None:
        self._files = files
        self._known: dict[tuple[int, str], int] = {}
        self._owners: dict[str, int] = {}
        for index, file in enumerate(files):
            for name in file["functions"]:
                self._owners.setdefault(name, index)

    def deepest(self, file: int, called: Sequence[str]) -> int:
        """Return the length of the longest path of calls from code of a file that calls these names."""
        return max((self._depth(file, name) for name in called), default=0)

    def _depth(self, file: int, name: str) -> int:
        owner = file if name in self._files[file]["functions"] else self._owners.get(name)
        if owner is None:
            return 0
        key = (owner, name)
        if key not in self._known:
            self._known[key] = 1  # a function that calls itself ends there
            self._known[key] = 1 + self.deepest(owner, self._files[owner]["functions"][name])
        return self._known[key]
