"""The file of known failures: kernels and kinds of failures, without lines, so that it stays valid while the code moves."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from warpsmith.core.errors import WarpsmithError
from warpsmith.core.files.atomic import write_atomic
from warpsmith.validation.gate.kernel_result import KernelResult

VERSION = 1

Failure = tuple[str, str]
"""The qualified name of a kernel and the kind of its failure."""


@dataclass(frozen=True, slots=True)
class Baseline:
    """Failures that are known.

    Attributes:
        failures: the failures.
    """

    failures: frozenset[Failure] = frozenset()

    @classmethod
    def read(cls, path: Path) -> Baseline:
        """Read a file.

        Raises:
            WarpsmithError: if it does not exist, or has another form or version.
        """
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise WarpsmithError(f"cannot read the baseline {path}: {error.strerror}; --update-baseline writes it") from error
        except ValueError as error:
            raise WarpsmithError(f"the baseline {path} is no JSON: {error}") from error
        if not isinstance(content, dict) or content.get("version") != VERSION:
            raise WarpsmithError(f"the baseline {path} has no version {VERSION}: write it anew with --update-baseline")
        known = content.get("known")
        if not isinstance(known, dict) or not all(isinstance(kinds, list) for kinds in known.values()):
            raise WarpsmithError(f"the baseline {path} has no kernels with their kinds under 'known'")
        return cls(frozenset((kernel, str(kind)) for kernel, kinds in known.items() for kind in kinds))

    @classmethod
    def of(cls, results: Iterable[KernelResult]) -> Baseline:
        """Return the failures of ``results``."""
        return cls(frozenset((result.qualified_name, result.kind) for result in results if result.kind))

    def write(self, path: Path) -> None:
        """Write the file: one line for each kernel, in alphabetical order.

        Raises:
            TargetError: if the file cannot be written.
        """
        kinds: dict[str, list[str]] = {}
        for kernel, kind in sorted(self.failures):
            kinds.setdefault(kernel, []).append(kind)
        lines = [f"    {json.dumps(kernel)}: {json.dumps(found)}" for kernel, found in kinds.items()]
        known = "{\n" + ",\n".join(lines) + "\n  }" if lines else "{}"
        write_atomic(path, f'{{\n  "version": {VERSION},\n  "known": {known}\n}}\n'.encode())

    def contains(self, result: KernelResult) -> bool:
        """Return whether a failure is known."""
        return (result.qualified_name, result.kind) in self.failures

    def fixed(self, results: Iterable[KernelResult]) -> list[Failure]:
        """Return known failures that exist no longer: the kernel was checked to the end, and has no failure of this kind."""
        settled: dict[str, bool] = {}
        kinds: dict[str, set[str]] = {}
        for result in results:
            name = result.qualified_name
            kinds.setdefault(name, set()).add(result.kind)
            is_open = result.result in ("not checked", "not checked (warpsmith)", "inconclusive", "untested")
            settled[name] = settled.get(name, True) and not is_open
        return sorted(
            (kernel, kind) for kernel, kind in self.failures if settled.get(kernel, False) and kind not in kinds[kernel]
        )

    def unseen(self, results: Iterable[KernelResult]) -> int:
        """Return the number of known failures whose kernels no result is about."""
        names = {result.qualified_name for result in results}
        return sum(kernel not in names for kernel, _ in self.failures)
