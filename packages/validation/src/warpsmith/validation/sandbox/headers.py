"""Files that all workers share and that a worker compiles which has received no line yet: Warp's headers, the SIMT machine."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable
from pathlib import Path
from threading import Lock

from warpsmith.core.files.temporary_folders import TemporaryFolder
from warpsmith.validation.sandbox import kept_headers
from warpsmith.validation.sandbox.fault_attribution import MachineState
from warpsmith.validation.sandbox.kept_headers import HEADERS, MACHINE, FileKind


class SharedFiles:
    """A folder of compiled files of one kind that no worker can write to."""

    def __init__(self, kind: FileKind) -> None:
        self._kind = kind
        self._folder: TemporaryFolder | None = None
        self._are_kept = False
        self._lock = Lock()

    def close(self) -> None:
        """Remove the folder."""
        if self._folder is not None:
            self._folder.remove()

    def install(self, target: Path, make: Callable[[], object]) -> None:
        """Copy the files into a worker's folder.

        Args:
            target: the folder.
            make: makes the worker compile the files in its folder; called if neither another worker nor an earlier run has
                done so.
        """
        with self._lock:
            if self._folder is None and not self._copied_of_earlier_run(target):
                make()
                self._share(list(target.glob(self._kind.pattern)))
            elif self._folder is not None:
                for file in self._folder.path.glob(self._kind.pattern):
                    shutil.copy(file, target)

    def reject(self) -> None:
        """Compile the files again for the next worker if they are those of an earlier run, since a worker failed."""
        with self._lock:
            if self._are_kept:
                kept_headers.discard(self._kind)
                self.close()
                self._folder, self._are_kept = None, False

    def _copied_of_earlier_run(self, target: Path) -> bool:
        """Copy the files of an earlier run to a folder of this run, since another run may remove them, and to ``target``."""
        with contextlib.suppress(OSError):
            folder = TemporaryFolder()
            files = kept_headers.copy_to(folder.path, self._kind)
            if not files:
                folder.remove()
                return False
            self._folder, self._are_kept = folder, True
            for file in files:
                shutil.copy(file, target)
            return True
        return False

    def _share(self, files: list[Path]) -> None:
        """Copy files to a folder that stays until `close`, and to where later runs find them."""
        if not files:
            return
        folder = TemporaryFolder()
        try:
            for file in files:
                shutil.copy(file, folder.path)
        except OSError:
            folder.remove()
            raise
        self._folder = folder
        kept_headers.keep(files, self._kind)


class Headers:
    """Precompiled headers, and the compiled SIMT machine, of all workers of a run; use it as a context manager.

    Attributes:
        machine: whether workers with these files work.
    """

    def __init__(self) -> None:
        self.machine = MachineState()
        self._headers = SharedFiles(HEADERS)
        self._simt_machine = SharedFiles(MACHINE)

    def __enter__(self) -> Headers:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove the files."""
        self._headers.close()
        self._simt_machine.close()

    def install(self, scratch: Path, precompile: Callable[[], object]) -> None:
        """Copy the headers into a worker's folder; ``precompile`` makes the worker precompile them there."""
        self._headers.install(scratch, precompile)

    def install_machine(self, scratch: Path, compile_machine: Callable[[], object]) -> None:
        """Copy the SIMT machine into a worker's folder, likewise: where `warpsmith.simt` keeps objects in this home folder."""
        target = scratch / ".cache" / "warpsmith"
        target.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._simt_machine.install(target, compile_machine)

    def reject(self) -> None:
        """Make the next worker compile files of an earlier run again, since a worker failed with them."""
        self._headers.reject()
        self._simt_machine.reject()
