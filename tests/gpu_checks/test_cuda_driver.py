"""The driver of CUDA, with a library that is pretended and records its calls."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import pytest

from warpsmith.gpu_checks import cuda_driver
from warpsmith.gpu_checks.cuda_driver import DeviceModule, NoDevice, use_device


class PretendedLibrary:
    """A library whose functions record their calls, and return 0 except for the device with the number 7."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, tuple[Any, ...]]] = []

    def __getattr__(self, name: str) -> Callable[..., int]:
        def called(*arguments: Any) -> int:
            self.calls.append((name, arguments))
            return 101 if name == "cuDeviceGet" and arguments[1] == 7 else 0

        return called


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> PretendedLibrary:
    made = PretendedLibrary()
    monkeypatch.setattr(cuda_driver, "_library", lambda: made)
    use_device.cache_clear()
    return made


def test_a_module_is_loaded_on_its_device_and_no_other_is_used(library: PretendedLibrary) -> None:
    for _ in range(2):
        DeviceModule(b"cubin", False, 3)
    names = [name for name, _ in library.calls]
    assert names == ["cuDeviceGet", "cuDevicePrimaryCtxRetain", "cuCtxSetCurrent", *["cuModuleLoadDataEx"] * 2]
    assert library.calls[0][1][1] == 3


def test_a_device_that_is_not_there_is_an_error(library: PretendedLibrary) -> None:
    with pytest.raises(NoDevice, match="returns 101"):
        DeviceModule(b"cubin", False, 7)
    assert "cuModuleLoadDataEx" not in [name for name, _ in library.calls]


def test_a_machine_without_a_driver_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> None:
        raise OSError(f"{name}: cannot open shared object file")

    monkeypatch.setattr(ctypes, "CDLL", missing)
    cuda_driver._library.cache_clear()
    use_device.cache_clear()
    with pytest.raises(NoDevice, match=r"no driver: libcuda\.so\.1"):
        use_device()
