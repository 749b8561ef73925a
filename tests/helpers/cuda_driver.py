"""Modules of PTX and launches of their kernels on a CUDA device, by the driver's own API and nothing else."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

import numpy as np

DYNAMIC_SHARED_SIZE = 8
"""The number of the attribute of functions that allows more than 48 KiB of dynamic shared memory."""

ERROR_LOG = (5, 6)
"""The numbers of the options of the driver's compiler for the buffer of its errors and the size of this buffer."""

Array = np.ndarray[Any, Any]
Dimensions = int | Sequence[int]


class CudaError(Exception):
    """An error of the driver."""


class NoDevice(CudaError):
    """There is no driver or no device."""


@cache
def driver() -> ctypes.CDLL:
    """Return the driver with the first device in use.

    Raises:
        NoDevice: if there is none.
    """
    try:
        library = ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        raise NoDevice(f"no driver: {error}") from error
    if code := library.cuInit(0):
        raise NoDevice(f"cuInit returns {code}")
    device, context = ctypes.c_int(), ctypes.c_void_p()
    for code in (
        library.cuDeviceGet(ctypes.byref(device), 0),
        library.cuDevicePrimaryCtxRetain(ctypes.byref(context), device),
        library.cuCtxSetCurrent(context),
    ):
        if code:
            raise NoDevice(f"the driver returns {code}")
    return library


def call(name: str, *arguments: Any) -> None:
    """Call a function of the driver, and raise its error."""
    if code := getattr(driver(), name)(*arguments):
        text = ctypes.c_char_p()
        driver().cuGetErrorString(code, ctypes.byref(text))
        raise CudaError(f"{name}: error {code}: {(text.value or b'unknown').decode()}")


def device_name() -> str:
    """Return the name of the device."""
    text = ctypes.create_string_buffer(100)
    call("cuDeviceGetName", text, len(text), 0)
    return text.value.decode()


class DeviceModule:
    """A module of PTX, compiled by the driver."""

    def __init__(self, text: str) -> None:
        """Compile and load a module.

        Raises:
            CudaError: if the driver refuses it; the message contains the errors of its compiler.
        """
        self._handle = ctypes.c_void_p()
        # Blocks of a grid can wait for each other in cooperative launches only; these registers are for them.
        self._is_cooperative = "%envreg" in text
        log = ctypes.create_string_buffer(8192)
        options = (ctypes.c_int * 2)(*ERROR_LOG)
        values = (ctypes.c_void_p * 2)(ctypes.addressof(log), len(log))
        try:
            call("cuModuleLoadDataEx", ctypes.byref(self._handle), text.encode(), 2, options, values)
        except CudaError as error:
            raise CudaError(f"{error}: {log.value.decode()}") from error

    def launch(
        self, name: str, grid: Dimensions, block: Dimensions, arguments: Sequence[bytes | Array], shared: int = 0
    ) -> list[Any]:
        """Run a kernel once.

        Args:
            name: the mangled name.
            grid: the number of blocks in up to three dimensions.
            block: the number of threads of a block in up to three dimensions.
            arguments: one for each parameter: arrays, which are copied, or the bytes of other values.
            shared: bytes of dynamic shared memory.

        Returns:
            the array of each argument after the launch, None for other values.
        """
        with self._prepared(name, grid, block, arguments, shared) as (start, addresses):
            start()
            call("cuCtxSynchronize")
            return [
                None if address is None else _download(address, argument)
                for address, argument in zip(addresses, arguments, strict=True)
            ]

    def microseconds(
        self,
        name: str,
        grid: Dimensions,
        block: Dimensions,
        arguments: Sequence[bytes | Array],
        shared: int = 0,
        launches: int = 50,
    ) -> float:
        """Return the time of a launch: the smallest of five means over launches that begin with each other's results."""
        events = [ctypes.c_void_p(), ctypes.c_void_p()]
        for event in events:
            call("cuEventCreate", ctypes.byref(event), 0)
        times, elapsed = [], ctypes.c_float()
        with self._prepared(name, grid, block, arguments, shared) as (start, _):
            for _ in range(6):  # the first warms up
                call("cuEventRecord", events[0], None)
                for _ in range(launches):
                    start()
                call("cuEventRecord", events[1], None)
                call("cuEventSynchronize", events[1])
                call("cuEventElapsedTime", ctypes.byref(elapsed), *events)
                times.append(elapsed.value * 1000 / launches)
        return min(times[1:])

    @contextmanager
    def _prepared(
        self, name: str, grid: Dimensions, block: Dimensions, arguments: Sequence[bytes | Array], shared: int
    ) -> Iterator[tuple[Any, list[int | None]]]:
        """Yield a function that starts the kernel, and the address of each array."""
        function = ctypes.c_void_p()
        call("cuModuleGetFunction", ctypes.byref(function), self._handle, name.encode())
        if shared:
            call("cuFuncSetAttribute", function, DYNAMIC_SHARED_SIZE, shared)
        addresses = [_upload(argument) if isinstance(argument, np.ndarray) else None for argument in arguments]
        packed = [
            ctypes.create_string_buffer(argument if address is None else address.to_bytes(8, "little"))  # type: ignore[arg-type]
            for argument, address in zip(arguments, addresses, strict=True)
        ]
        pointers = (ctypes.c_void_p * max(len(packed), 1))(*map(ctypes.addressof, packed))
        sizes = [*_three(grid), *_three(block)]

        def start() -> None:
            if self._is_cooperative:
                call("cuLaunchCooperativeKernel", function, *sizes, shared, None, pointers)
            else:
                call("cuLaunchKernel", function, *sizes, shared, None, pointers, None)

        try:
            yield start, addresses
        finally:
            for address in addresses:
                if address is not None:
                    call("cuMemFree_v2", ctypes.c_uint64(address))


def _three(sizes: Dimensions) -> tuple[int, ...]:
    given = (sizes,) if isinstance(sizes, int) else tuple(sizes)
    return (*given, 1, 1)[:3]


def _upload(array: Array) -> int:
    contiguous = np.ascontiguousarray(array)
    address = ctypes.c_uint64()
    call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(contiguous.nbytes, 1)))
    call("cuMemcpyHtoD_v2", address, ctypes.c_void_p(contiguous.ctypes.data), ctypes.c_size_t(contiguous.nbytes))
    return address.value


def _download(address: int, like: Any) -> Array:
    array = np.empty_like(np.ascontiguousarray(like))
    call("cuMemcpyDtoH_v2", ctypes.c_void_p(array.ctypes.data), ctypes.c_uint64(address), ctypes.c_size_t(array.nbytes))
    return array
