"""The public verb: `extract_ir` returns the C++ and CUDA code Warp generates for a kernel, with no GPU and no compiler."""

from __future__ import annotations

from typing import Any

from warpsmith.core.errors import KernelRejected, WarpsmithError, describe
from warpsmith.core.records.ir import TARGETS, Code, Device, KernelIR
from warpsmith.extraction.interleave import Steps, run_alone
from warpsmith.extraction.split import split
from warpsmith.extraction.warp import codegen, registry


def extract_ir(kernel: Any, device: Device = "cpu", include_backward: bool = True) -> KernelIR:
    """Return what Warp generates for ``kernel``, byte for byte what ``wp.compile_aot_module(strip_hash=True)`` writes to disk.

    Args:
        kernel: a Warp kernel; of a generic one, an overload (what ``wp.overload`` returns) or the kernel itself if it has one.
        device: ``"cpu"`` for C++, ``"cuda"`` for CUDA, ``"both"`` for the two from one build of the adjoint.
        include_backward: whether to generate the adjoint; a kernel that switches its backward pass off has none in any case.

    Raises:
        KernelRejected: if Warp cannot generate the kernel, with Warp's reason.
        WarpsmithError: if ``device`` is unknown or ``kernel`` is not a Warp kernel.
    """
    return run_alone(extract_stepwise(kernel, device, include_backward))


def extract_stepwise(kernel: Any, device: Device, include_backward: bool) -> Steps[KernelIR]:
    """Do what `extract_ir` does, step by step."""
    if device not in TARGETS:
        raise WarpsmithError(f"unknown device {device!r}: use 'cpu', 'cuda' or 'both'")
    if not registry.is_kernel(kernel):
        raise WarpsmithError(f"expected a Warp kernel, got {type(kernel).__name__}: decorate it with @wp.kernel")
    kernel = _concrete(kernel)
    try:
        modules = yield from codegen.generate_text_stepwise(kernel, TARGETS[device], include_backward)
    except Exception as error:
        raise KernelRejected("codegen", describe(error)) from error
    yield
    codes = {target: split(module, target) for target, module in modules.items()}
    first = next(iter(codes.values()))
    if not include_backward:
        codes = {target: Code(code.kernel_name, code.forward_code, None) for target, code in codes.items()}
    note = _why_no_backward(kernel) if include_backward and first.backward_code is None else None
    return KernelIR(first.kernel_name, device, codes, note)


def _concrete(kernel: Any) -> Any:
    if not kernel.is_generic:
        return kernel
    overloads = list(kernel.overloads.values())
    if len(overloads) == 1:
        return overloads[0]
    raise KernelRejected(
        "codegen", f"generic kernel {kernel.key!r} has {len(overloads)} overloads: name the types with wp.overload()"
    )


def _why_no_backward(kernel: Any) -> str:
    if "enable_backward" in kernel.options:
        return "the kernel sets enable_backward=False"
    return "the kernel's module sets enable_backward=False"
