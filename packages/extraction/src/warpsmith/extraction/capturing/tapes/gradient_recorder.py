"""The observer of a capture that follows tapes: what `Recorder` keeps, and what `TapeRecorder` does."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from warpsmith.extraction.capturing.recorder import Recorder
from warpsmith.extraction.capturing.tapes.drafts import AdjointDraft, BackwardDraft, EventDraft
from warpsmith.extraction.capturing.tapes.tape_recorder import TapeRecorder
from warpsmith.extraction.warp.objects import parameter_types

T = TypeVar("T")


@dataclass
class GradientRecorder(Recorder):
    """The `warpsmith.extraction.warp.launch_hooks.TapeObserver` of a capture.

    Attributes:
        tapes: what is kept of tapes.
    """

    tapes: TapeRecorder = field(init=False)

    def __post_init__(self) -> None:
        self.tapes = TapeRecorder(self.objects)

    def _receive(self, kernel: Any, dim: tuple[int, ...], values: list[Any], device: Any, block_dim: int | None) -> object:
        kept = None
        try:
            kept = super()._receive(kernel, dim, values, device, block_dim)
        except Exception as error:  # noqa: BLE001 - as in `Recorder.launched`
            self._note(kernel, error)
        return kept, self._safely(self._launched, kernel, dim, values, block_dim)

    def _launched(self, kernel: Any, dim: tuple[int, ...], values: list[Any], block_dim: int | None) -> EventDraft | None:
        if 0 in dim or len(values) != len(parameter_types(kernel)):
            return None
        return self.tapes.launched(kernel, dim, values, block_dim if block_dim and block_dim > 1 else None)

    def failed(self, token: object) -> None:
        """Drop a launch that Warp refused."""
        if isinstance(token, tuple):
            kept, event = token
            super().failed(kept)
            if event is not None:
                self._safely(self.tapes.dropped, event)

    def completed(self, token: object) -> None:
        """Receive a launch, an adjoint launch or a copy after it ran."""
        item = token[1] if isinstance(token, tuple) else token
        if isinstance(item, AdjointDraft):
            self._safely(self.tapes.adjoint_completed, item)
        elif isinstance(item, EventDraft):
            self._safely(self.tapes.completed, item)

    def adjoint_launched(self, inputs: Sequence[Any], kernel: Any) -> object:
        """Receive an adjoint launch."""
        return self._safely(self.tapes.adjoint_launched, inputs, kernel)

    def entered(self, tape: Any) -> None:
        """Receive a tape before it records."""
        self._safely(self.tapes.entered, tape)

    def backward_started(self, tape: Any, loss: Any, grads: Any) -> object:
        """Receive a backward pass."""
        return self._safely(self.tapes.backward_started, tape, loss, grads)

    def backward_finished(self, token: object) -> None:
        """Receive a backward pass after it ran."""
        self._safely(self.tapes.backward_finished, token if isinstance(token, BackwardDraft) else None)

    def copied(self, dest: Any, src: Any, dest_offset: int, src_offset: int, count: int) -> object:
        """Receive a copy."""
        return self._safely(self.tapes.copied, dest, src, dest_offset, src_offset, count)

    def adjoint_copied(self, adj_dest: Any, adj_src: Any) -> object:
        """Receive the adjoint of a copy."""
        return self._safely(self.tapes.adjoint_copied, adj_dest, adj_src)

    def created(self, array: Any) -> Any:
        """Receive and return an array without contents."""
        self._safely(self.tapes.fresh.created, array)
        return array

    def exposed(self, array: Any) -> None:
        """Receive an array that the program sets, or may set."""
        with contextlib.suppress(Exception):
            self.tapes.fresh.exposed(array)

    def _safely(self, method: Callable[..., T], *arguments: Any) -> T | None:
        """Return the result of a method; no exception may reach the program."""
        try:
            return method(*arguments)
        except Exception as error:  # noqa: BLE001 - see above
            self.tapes.note(error)
            return None
