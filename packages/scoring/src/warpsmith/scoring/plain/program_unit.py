"""CUDA programs: answers with kernels and a function of the host that launches them.

No code of the host runs natively. The function is compiled for the device like the kernels, and one thread of the SIMT machine
runs it: a launch records the kernel and its arguments, and the kernels run afterwards in this order, as in a stream of CUDA.
"""

from __future__ import annotations

import re

from warpsmith.core.records import text_format
from warpsmith.scoring.plain.plain_signature import Signature
from warpsmith.scoring.policy.violation import Violation
from warpsmith.simt.launches.kernel_signatures import declared_kernels

HEADER = "warpsmith_program.h"
"""The file with the functions of CUDA's runtime, as one thread of the machine runs them."""

HOST_KERNEL = "warpsmith_host"
"""The kernel that calls the function of the host."""

KERNEL, SET, COPY = 1, 2, 3
"""The kinds of records: a launch, and operations on memory."""

RECORD_BYTES = 1 << 16
"""The bytes of all records of a program."""

SCRATCH_BYTES = 8 << 20
"""The bytes that a program may allocate."""

TYPES = """\
typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
typedef enum { cudaSuccess = 0, cudaErrorInvalidValue = 1, cudaErrorMemoryAllocation = 2 } cudaError_t;
enum cudaMemcpyKind {
    cudaMemcpyHostToHost, cudaMemcpyHostToDevice, cudaMemcpyDeviceToHost, cudaMemcpyDeviceToDevice, cudaMemcpyDefault
};
"""
"""The types of CUDA's runtime, for texts without its headers."""

RUNTIME = f"""\
namespace warpsmith {{
typedef unsigned long long word;
__device__ word* records;
__device__ word count, allocated, scratch;
__device__ inline void put(word value) {{
    if (count >= {RECORD_BYTES // 8}) __trap();
    records[count++] = value;
    records[0] = count;
}}
template <typename T> __device__ inline void put_argument(T value) {{
    put(sizeof(T));
    const unsigned char* bytes = reinterpret_cast<const unsigned char*>(&value);
    for (word start = 0; start < sizeof(T); start += 8) {{
        word packed = 0;
        for (word k = start; k < sizeof(T) && k < start + 8; k++) packed |= (word)bytes[k] << 8 * (k - start);
        put(packed);
    }}
}}
template <typename T> struct same {{ typedef T type; }};
template <typename... P> struct launcher {{
    void (*kernel)(P...);
    dim3 grid, block;
    word shared;
    __device__ inline void operator()(typename same<P>::type... arguments) const {{
        put({KERNEL});
        put((word)kernel);
        put(grid.x); put(grid.y); put(grid.z);
        put(block.x); put(block.y); put(block.z);
        put(shared);
        put(sizeof...(P));
        (put_argument<P>(arguments), ...);
    }}
}};
template <typename... P> __device__ inline launcher<P...> launch(
    void (*kernel)(P...), dim3 grid, dim3 block, word shared = 0, cudaStream_t = nullptr
) {{
    return {{ kernel, grid, block, shared }};
}}
__device__ inline cudaError_t operation(word kind, void* to, word from, word bytes) {{
    put(kind); put((word)to); put(from); put(bytes);
    return cudaSuccess;
}}
}}
namespace warpsmith {{
template <typename T> __device__ inline cudaError_t cudaMalloc(T** pointer, size_t bytes) {{
    word start = (allocated + 255) / 256 * 256;
    if (bytes > {SCRATCH_BYTES} || start + bytes > {SCRATCH_BYTES}) {{ *pointer = nullptr; return cudaErrorMemoryAllocation; }}
    records[1] = allocated = start + bytes;
    *pointer = reinterpret_cast<T*>(scratch + start);
    return cudaSuccess;
}}
template <typename T> __device__ inline cudaError_t cudaMallocAsync(T** pointer, size_t bytes, cudaStream_t = nullptr) {{
    return cudaMalloc(pointer, bytes);
}}
__device__ inline cudaError_t cudaMemset(void* to, int value, size_t bytes) {{
    return warpsmith::operation({SET}, to, (unsigned char)value, bytes);
}}
__device__ inline cudaError_t cudaMemsetAsync(void* to, int value, size_t bytes, cudaStream_t = nullptr) {{
    return cudaMemset(to, value, bytes);
}}
__device__ inline cudaError_t cudaMemcpy(void* to, const void* from, size_t bytes, cudaMemcpyKind kind = cudaMemcpyDefault) {{
    if (kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault) __trap();
    return warpsmith::operation({COPY}, to, (unsigned long long)from, bytes);
}}
__device__ inline cudaError_t cudaMemcpyAsync(
    void* to, const void* from, size_t bytes, cudaMemcpyKind kind = cudaMemcpyDefault, cudaStream_t = nullptr) {{
    return cudaMemcpy(to, from, bytes, kind);
}}
__device__ inline cudaError_t cudaFree(void*) {{ return cudaSuccess; }}
__device__ inline cudaError_t cudaFreeAsync(void*, cudaStream_t = nullptr) {{ return cudaSuccess; }}
__device__ inline cudaError_t cudaDeviceSynchronize() {{ return cudaSuccess; }}
__device__ inline cudaError_t cudaStreamSynchronize(cudaStream_t) {{ return cudaSuccess; }}
__device__ inline cudaError_t cudaStreamCreate(cudaStream_t* stream) {{ *stream = nullptr; return cudaSuccess; }}
__device__ inline cudaError_t cudaStreamDestroy(cudaStream_t) {{ return cudaSuccess; }}
__device__ inline cudaError_t cudaGetLastError() {{ return cudaSuccess; }}
__device__ inline cudaError_t cudaPeekAtLastError() {{ return cudaSuccess; }}
__device__ inline const char* cudaGetErrorString(cudaError_t) {{ return "no error"; }}
}}
#define cudaDeviceSynchronize ::warpsmith::cudaDeviceSynchronize
#define cudaFree ::warpsmith::cudaFree
#define cudaFreeAsync ::warpsmith::cudaFreeAsync
#define cudaGetErrorString ::warpsmith::cudaGetErrorString
#define cudaGetLastError ::warpsmith::cudaGetLastError
#define cudaMalloc ::warpsmith::cudaMalloc
#define cudaMallocAsync ::warpsmith::cudaMallocAsync
#define cudaMemcpy ::warpsmith::cudaMemcpy
#define cudaMemcpyAsync ::warpsmith::cudaMemcpyAsync
#define cudaMemset ::warpsmith::cudaMemset
#define cudaMemsetAsync ::warpsmith::cudaMemsetAsync
#define cudaPeekAtLastError ::warpsmith::cudaPeekAtLastError
#define cudaStreamCreate ::warpsmith::cudaStreamCreate
#define cudaStreamDestroy ::warpsmith::cudaStreamDestroy
#define cudaStreamSynchronize ::warpsmith::cudaStreamSynchronize
"""
"""The runtime: launches, allocations and operations on memory in one stream, which are done after the function of the host."""

_KERNEL_NAME = re.compile(r"((?:::)?[A-Za-z_]\w*(?:::\w+)*(?:<[^<>;{}]*>)?)\s*$")
_MAIN = re.compile(r"\b(?:int|void)\s+main\s*\([^)]*\)\s*\{")


def _blanks(found: re.Match[str]) -> str:
    return re.sub(r"[^\n]", " ", found[0])


def program_unit(text: str, signature: Signature) -> str:
    """Return the text that NVRTC compiles: the launches of an answer are calls that record them, on the same lines.

    Raises:
        Violation: if a launch is not complete, or a kernel is called.
    """
    names = ", ".join(parameter.name for parameter in signature.parameters)
    parameters = ", ".join([*map(str, signature.parameters), "unsigned long long* records", "unsigned char* scratch"])
    host = (
        f'\n#line 1 "host"\nextern "C" __global__ void {HOST_KERNEL}({parameters})\n{{\n'
        "    warpsmith::records = records; warpsmith::count = 2; warpsmith::allocated = 0;\n"
        f"    warpsmith::scratch = (unsigned long long)scratch;\n    {signature.name}({names});\n}}\n"
    )
    code = without_main(text)
    _check_calls(code)
    return with_recorded_launches(code) + host


def _check_calls(text: str) -> None:
    """Check that kernels are launched: NVRTC allows calls of them in code of the device.

    Raises:
        Violation: if a kernel is called.
    """
    bare = text_format.COMMENT_OR_LITERAL.sub(_blanks, text)
    for name in declared_kernels(text):
        for found in re.finditer(rf"\b{re.escape(name)}\s*(?:<[^<>;{{}}()]*>\s*)?\(", bare):
            before = re.split(r"[;{}]", bare[: found.start()])[-1]
            if "__global__" not in before:
                line = bare.count("\n", 0, found.start()) + 1
                raise Violation.at(
                    line, f"the kernel '{name[:60]}' is called: a launch is 'kernel<<<grid, block>>>(arguments)'"
                )


def is_program(text: str) -> bool:
    """Return whether a text is one of `program_unit`."""
    return f" {HOST_KERNEL}(" in text


def with_recorded_launches(text: str) -> str:
    """Return a text in which ``kernel<<<grid, block>>>(…)`` is ``warpsmith::launch(kernel, grid, block)(…)``.

    Examples:
        >>> with_recorded_launches("f<<<(n + 255) / 256, 256>>>(x, n);")
        'warpsmith::launch(f, (n + 255) / 256, 256)(x, n);'

    Raises:
        Violation: if a launch is not complete.
    """
    bare = text_format.COMMENT_OR_LITERAL.sub(_blanks, text)
    pieces, done = [], 0
    for found in re.finditer("<<<", bare):
        kernel = _KERNEL_NAME.search(bare, done, found.start())
        end = bare.find(">>>", found.end())
        if kernel is None or end < 0:
            line = bare.count("\n", 0, found.start()) + 1
            raise Violation.at(line, "a launch is 'kernel<<<grid, block>>>(arguments)'")
        configuration = text[found.end() : end]
        pieces += [text[done : kernel.start(1)], f"warpsmith::launch({kernel[1]}, {configuration})"]
        done = end + 3
    return "".join([*pieces, text[done:]])


def without_main(text: str) -> str:
    """Return a text with blanks for ``main``, which shows how to call the function."""
    bare = text_format.COMMENT_OR_LITERAL.sub(_blanks, text)
    found = _MAIN.search(bare)
    if found is None:
        return text
    depth, at = 1, found.end()
    while at < len(bare) and depth:
        depth += (bare[at] == "{") - (bare[at] == "}")
        at += 1
    return text[: found.start()] + re.sub(r"[^\n]", " ", text[found.start() : at]) + text[at:]
