"""Check pairs from Python: `Validator` keeps a sandboxed worker, `validate` starts one for a single call."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from warpsmith.core.records.encoding import encode
from warpsmith.core.records.jsonl import decode
from warpsmith.core.records.pair import Pair
from warpsmith.core.records.verdict import Verdict
from warpsmith.validation.levels.registry import levels_to
from warpsmith.validation.sandbox.supervisor import WORKERS, Supervisor

_MEMORY = Path("<memory>")
"""The file name of pairs that come from no file."""


class Validator:
    """Checks pairs in a sandboxed worker that stays between calls; use it as a context manager.

    A pair is parsed, loaded, compiled and run in the worker only. A worker that dies is replaced, and its pair fails.
    The worker is faster from the second call on, because Warp is loaded and its headers are compiled. One thread at a time may
    use a validator.

    Args:
        unconfined: whether to work without the parts of the sandbox that this system lacks, for pairs that you trust.

    Raises:
        SandboxError: from `validate`, if the sandbox does not work or is incomplete on this machine.
        UnsupportedWarpError: if the installed Warp is not a supported one.

    Examples:
        >>> from warpsmith.core.records.ir import Code, KernelIR
        >>> from warpsmith.core.records.pair import Pair
        >>> ir = KernelIR("scale", "cuda", {"cuda": Code("scale", "void scale_cuda_kernel_forward(", None)}, None)
        >>> pair = Pair.from_ir(ir, identity="demo", python_source="import os", category="test", warp_version="1.0")
        >>> with Validator() as validator:
        ...     verdicts = validator.validate([pair], level="parse")
        >>> [(verdict.level, verdict.status, verdict.reason) for verdict in verdicts[0]]
        [('schema', 'pass', ''), ('parse', 'fail', 'line 1: import of os')]
    """

    def __init__(self, unconfined: bool = False) -> None:
        self._supervisor = Supervisor(levels=(), module=WORKERS[unconfined])

    def __enter__(self) -> Validator:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the worker and remove its files."""
        self._supervisor.close()

    def validate(self, pairs: Iterable[Pair], level: str = "parse") -> list[list[Verdict]]:
        """Check pairs by all levels up to and including ``level``.

        Args:
            pairs: the pairs. Pairs of one call are compiled together, which is faster than one call for each.
            level: the name of a level, see `levels.registry.LEVELS`.

        Returns:
            For each pair one verdict per level, in the order of the pairs and of the levels.

        Raises:
            WarpsmithError: if there is no such level.
            SandboxError: if the sandbox does not work or is incomplete on this machine.
        """
        lines = [decode(encode(pair), _MEMORY, number) for number, pair in enumerate(pairs, start=1)]
        self._supervisor.levels = levels_to(level)
        return self._supervisor.check(lines)


def validate(pairs: Iterable[Pair], level: str = "parse", unconfined: bool = False) -> list[list[Verdict]]:
    """Check pairs by all levels up to and including ``level``, in a sandboxed worker that ends with the call.

    Args:
        pairs: the pairs.
        level: the name of a level, see `levels.registry.LEVELS`.
        unconfined: whether to work without the parts of the sandbox that this system lacks, for pairs that you trust.

    Returns:
        For each pair one verdict per level, in the order of the pairs and of the levels.

    Raises:
        WarpsmithError: if there is no such level.
        SandboxError: if the sandbox does not work or is incomplete on this machine.
        UnsupportedWarpError: if the installed Warp is not a supported one.

    Examples:
        >>> from warpsmith.core.records.ir import Code, KernelIR
        >>> from warpsmith.core.records.pair import Pair
        >>> ir = KernelIR("scale", "cuda", {"cuda": Code("scale", "void scale_cuda_kernel_forward(", None)}, None)
        >>> pair = Pair.from_ir(ir, identity="demo", python_source="import os", category="test", warp_version="1.0")
        >>> [verdict.status for verdict in validate([pair], level="schema")[0]]
        ['pass']
    """
    with Validator(unconfined) as validator:
        return validator.validate(pairs, level)
