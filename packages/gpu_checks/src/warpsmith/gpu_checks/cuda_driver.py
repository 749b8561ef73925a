"""Modules of PTX and launches of their kernels on a CUDA device, by the driver's own API and nothing else."""

from __future__ import annotations

import ctypes
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
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


FLUSHED_BYTES = 256 << 20
"""Bytes that are written before a launch, so that the caches contain nothing of the kernel: the largest have 126 MB."""

WARM_UP = 3
"""Launches before those that are timed."""

TIMED_SECONDS = 1.0
"""The time after which a slow kernel is launched no more."""


class CudaError(Exception):
    """An error of the driver."""


class NoDevice(CudaError):
    """There is no driver or no device."""


@cache
def _library() -> ctypes.CDLL:
    """Return the driver's library.

    Raises:
        NoDevice: if there is none.
    """
    try:
        library = ctypes.CDLL("libcuda.so.1")
    except OSError as error:
        raise NoDevice(f"no driver: {error}") from error
    if code := library.cuInit(0):
        raise NoDevice(f"cuInit returns {code}")
    return library


@cache
def use_device(ordinal: int = 0) -> None:
    """Let the calls of this process use a device, in the context that Warp uses, too; a process uses one device only.

    Args:
        ordinal: the number of the device.

    Raises:
        NoDevice: if there is none.
    """
    library, device, context = _library(), ctypes.c_int(), ctypes.c_void_p()
    for code in (
        library.cuDeviceGet(ctypes.byref(device), ordinal),
        library.cuDevicePrimaryCtxRetain(ctypes.byref(context), device),
        library.cuCtxSetCurrent(context),
    ):
        if code:
            raise NoDevice(f"the driver returns {code}")


def call(name: str, *arguments: Any) -> None:
    """Call a function of the driver, and raise its error."""
    if code := getattr(_library(), name)(*arguments):
        text = ctypes.c_char_p()
        _library().cuGetErrorString(code, ctypes.byref(text))
        raise CudaError(f"{name}: error {code}: {(text.value or b'unknown').decode()}")


def device_name() -> str:
    """Return the name of the device."""
    text = ctypes.create_string_buffer(100)
    call("cuDeviceGetName", text, len(text), 0)
    return text.value.decode()


class DeviceModule:
    """A module of PTX, which the driver compiles, or of machine code."""

    def __init__(self, code: str | bytes, is_cooperative: bool | None = None, ordinal: int = 0) -> None:
        """Compile and load a module.

        Args:
            code: PTX, or a cubin for the device.
            is_cooperative: whether blocks of a grid wait for each other; by default, whether the PTX uses the registers that
                cooperative launches set.
            ordinal: the number of the device.

        Raises:
            NoDevice: if there is no such device.
            CudaError: if the driver refuses it; the message contains the errors of its compiler.
        """
        use_device(ordinal)
        self._handle = ctypes.c_void_p()
        content = code.encode() if isinstance(code, str) else code
        self._is_cooperative = b"%envreg" in content if is_cooperative is None else is_cooperative
        log = ctypes.create_string_buffer(8192)
        options = (ctypes.c_int * 2)(*ERROR_LOG)
        values = (ctypes.c_void_p * 2)(ctypes.addressof(log), len(log))
        try:
            call("cuModuleLoadDataEx", ctypes.byref(self._handle), content, 2, options, values)
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
        with _clock() as timed, self._prepared(name, grid, block, arguments, shared) as (start, _):

            def start_all() -> None:
                for _ in range(launches):
                    start()

            _, *times = (timed(start_all) / launches for _ in range(6))  # the first warms up
        return min(times)

    def cold_times(
        self,
        name: str,
        grid: Dimensions,
        block: Dimensions,
        arguments: Sequence[bytes | Array],
        shared: int = 0,
        launches: int = 20,
    ) -> tuple[list[float], list[Any]]:
        """Return the times of launches in microseconds, by events, and what the first launch leaves.

        Before each launch the arrays are restored, and the caches are filled with something else.

        Args:
            name: as in `launch`; so are ``grid``, ``block``, ``arguments`` and ``shared``.
            grid: the grid.
            block: the block.
            arguments: the arguments.
            shared: bytes of dynamic shared memory.
            launches: the most launches that are timed.
        """
        arrays = {number: argument for number, argument in enumerate(arguments) if isinstance(argument, np.ndarray)}
        times: list[float] = []
        left: list[Any] = []
        with (
            _flushing() as flush,
            _originals(arrays) as restore,
            _clock() as timed,
            self._prepared(name, grid, block, arguments, shared) as (start, addresses),
        ):
            while len(times) < WARM_UP + launches and sum(times) < 1e6 * TIMED_SECONDS:
                restore(addresses)
                flush()
                times.append(timed(start))
                left = left or [
                    None if address is None else _download(address, argument)
                    for address, argument in zip(addresses, arguments, strict=True)
                ]
        return times[WARM_UP:] or times, left

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


@contextmanager
def _flushing() -> Iterator[Callable[[], None]]:
    """Yield a function that fills the caches."""
    memory, numbers = ctypes.c_uint64(), itertools.count()
    call("cuMemAlloc_v2", ctypes.byref(memory), ctypes.c_size_t(FLUSHED_BYTES))
    try:
        yield lambda: call("cuMemsetD8_v2", memory, ctypes.c_ubyte(next(numbers) % 256), ctypes.c_size_t(FLUSHED_BYTES))
    finally:
        call("cuMemFree_v2", memory)


@contextmanager
def _originals(arrays: Mapping[int, Array]) -> Iterator[Callable[[Sequence[int | None]], None]]:
    """Yield a function that restores arrays of the device, whose addresses it receives, from copies there."""
    copies = {number: _upload(array) for number, array in arrays.items()}

    def restore(addresses: Sequence[int | None]) -> None:
        for number, array in arrays.items():
            target, source = ctypes.c_uint64(addresses[number] or 0), ctypes.c_uint64(copies[number])
            call("cuMemcpyDtoD_v2", target, source, ctypes.c_size_t(array.nbytes))

    try:
        yield restore
    finally:
        for address in copies.values():
            call("cuMemFree_v2", ctypes.c_uint64(address))


@contextmanager
def _clock() -> Iterator[Callable[[Callable[[], None]], float]]:
    """Yield a function that returns the microseconds of a launch, which it starts."""
    events, elapsed = [ctypes.c_void_p(), ctypes.c_void_p()], ctypes.c_float()
    for event in events:
        call("cuEventCreate", ctypes.byref(event), 0)

    def timed(start: Callable[[], None]) -> float:
        call("cuEventRecord", events[0], None)
        start()
        call("cuEventRecord", events[1], None)
        call("cuEventSynchronize", events[1])
        call("cuEventElapsedTime", ctypes.byref(elapsed), *events)
        return elapsed.value * 1000

    try:
        yield timed
    finally:
        for event in events:
            call("cuEventDestroy_v2", event)


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
