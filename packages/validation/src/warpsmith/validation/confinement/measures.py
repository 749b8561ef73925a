"""The measures that hold for a confined process, as its client reads and prints them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

_LANDLOCK = 'no Landlock (Linux 5.13 or later with "landlock" in the boot option "lsm", in a container that permits its calls)'
_SECCOMP = "no seccomp filters (Linux 3.17 or later with CONFIG_SECCOMP_FILTER, on x86_64 or aarch64)"


@dataclass(frozen=True, slots=True)
class Confinement:
    """The measures that hold for a process.

    Attributes:
        landlock: the version of Landlock's interface that confines files, 0 if files are not confined.
        seccomp: whether system calls are filtered.
        network: whether the process can use the network.
        reading: whether the process can read files that checks do not need.
        memory: bytes of address space, 0 for no limit.
        file_size: the largest file that the process may write, in bytes.
        open_files: how many files the process may have open.
        processes: how many processes and threads the process and its forks may be, 0 for no limit.
    """

    landlock: int
    seccomp: bool
    network: bool
    reading: bool
    memory: int
    file_size: int
    open_files: int
    processes: int

    @classmethod
    def from_json(cls, value: object) -> Confinement:
        """Return the measures that a worker reports.

        Raises:
            ValueError: if ``value`` is anything else.
        """
        names = set(cls.__dataclass_fields__)
        if (
            not isinstance(value, Mapping)
            or set(value) != names
            or not all(isinstance(measure, int) for measure in value.values())
        ):
            raise ValueError("not a report on a sandbox")
        return cls(**value)

    @property
    def problem(self) -> str | None:
        """What is missing and where it comes from, in one line; None if nothing is."""
        missing = [text for present, text in ((self.landlock, _LANDLOCK), (self.seccomp, _SECCOMP)) if not present]
        if not missing:
            return None
        return f"it has {' and '.join(missing)}; --unconfined works without, for pairs that you trust"

    @property
    def summary(self) -> str:
        """The measures in one line."""
        return ", ".join(
            [
                f"Landlock {self.landlock}" if self.landlock else "no Landlock",
                "seccomp" if self.seccomp else "no seccomp",
                "network" if self.network else "no network",
                f"{self.memory / (1 << 30):.0f} GiB memory" if self.memory else "no limit of memory",
            ]
        )
