"""What the tests of a session launch: the only module of the gate that uses the capture of launches."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack

from warpsmith.core.records.pair import Pair, Reject
from warpsmith.extraction import capture
from warpsmith.extraction.warp.objects import python_function
from warpsmith.validation.gate.observed import Observed

WARP_PACKAGE = "warp"
"""The package of Warp's own kernels."""


class Observation:
    """Captures the launches of this process from its creation to `finish`."""

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._captured = self._stack.enter_context(capture())
        self._first_test: dict[str, str] = {}
        self._seen = 0

    def note(self, test: str) -> None:
        """Assign all kernels that were launched since the last call to ``test``."""
        if len(self._captured.recorder.selections) > self._seen:
            self._seen = len(self._captured.recorder.selections)
            for captured in self._captured.kernels:
                self._first_test.setdefault(f"{captured.module}.{python_function(captured.kernel).__qualname__}", test)

    def finish(self, only: Sequence[str]) -> Observed:
        """Stop capturing, and return the kernels of the packages ``only``, or of all packages but Warp."""
        self._stack.close()
        packages = list(only)
        left_out = 0
        if not only:
            modules = {captured.module for captured in self._captured.kernels}
            packages = [module for module in modules if not _is_in(module, WARP_PACKAGE)]
            left_out = sum(_is_in(captured.module, WARP_PACKAGE) for captured in self._captured.kernels)
        results = list(self._captured.pairs("both", only=packages)) if packages else []
        return Observed(
            pairs=[result for result in results if isinstance(result, Pair)],
            rejects=[result for result in results if isinstance(result, Reject)],
            tests={result.id: self._test_of(result.id) for result in results},
            left_out=left_out,
        )

    def _test_of(self, identity: str) -> str:
        """Return the first test of a kernel: its id ends in its module and qualified name, types and number aside."""
        name = identity.rpartition("#")[0] or identity
        name = name.partition("[")[0]
        return next((test for kernel, test in self._first_test.items() if name.endswith(f"-{kernel}")), "")


def _is_in(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")
