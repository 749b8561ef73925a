"""What the tests of a session launch: the only module of the gate that uses the capture of launches."""

from __future__ import annotations

from contextlib import ExitStack

from warpsmith.core.records.pair import Pair, Reject
from warpsmith.extraction import capture
from warpsmith.extraction.launches.launch_limits import Limits
from warpsmith.extraction.targets.origin import is_in
from warpsmith.validation.gate.observed import Observed
from warpsmith.validation.gate.untested import Selection, launch_name, untested

WARP_PACKAGE = "warp"
"""The package of Warp's own kernels."""


class Observation:
    """Captures the launches of this process from its creation to `finish`."""

    def __init__(self, limits: Limits, tapes: bool) -> None:
        self._stack = ExitStack()
        captured = capture(limits.launches, limits.launch_bytes, limits.total_bytes, tape=tapes)
        self._captured = self._stack.enter_context(captured)
        self._first_test: dict[str, str] = {}
        self._seen = 0

    def note(self, test: str) -> None:
        """Assign all kernels that were launched since the last call to ``test``."""
        if len(self._captured.recorder.selections) > self._seen:
            self._seen = len(self._captured.recorder.selections)
            for captured in self._captured.kernels:
                self._first_test.setdefault(launch_name(captured.kernel), test)

    def finish(self, selection: Selection) -> Observed:
        """Stop capturing, and return the selected kernels: without a package, those of all packages but Warp."""
        self._stack.close()
        only = selection.only
        packages = list(only)
        left_out = 0
        if not only:
            modules = {captured.module for captured in self._captured.kernels}
            packages = [module for module in modules if not is_in(module, [WARP_PACKAGE])]
            left_out = sum(is_in(captured.module, [WARP_PACKAGE]) for captured in self._captured.kernels)
        results = list(self._captured.pairs("both", only=packages)) if packages else []
        return Observed(
            pairs=[result for result in results if isinstance(result, Pair)],
            rejects=[result for result in results if isinstance(result, Reject)],
            tests={result.id: self._test_of(result.id) for result in results},
            left_out=left_out,
            launched=list(self._first_test),
            untested=list(untested(selection, self._first_test)),
            programs=list(self._captured.programs(packages)) if packages else [],
        )

    def _test_of(self, identity: str) -> str:
        """Return the first test of a kernel: its id ends in its module and qualified name, types and number aside."""
        name = identity.rpartition("#")[0] or identity
        name = name.partition("[")[0]
        return next((test for kernel, test in self._first_test.items() if name.endswith(f"-{kernel}")), "")
