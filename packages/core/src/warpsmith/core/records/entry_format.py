"""The exact form of entry points in the text that Warp generates, a part of the layout in `text_format`.

The beginning of a CUDA kernel and the whole C++ entry point depend on the kernel's name, the direction, the dimensions of the
launch and a few options only. Anything else in their place, such as a missing ``__global__``, is not Warp's.
"""

from __future__ import annotations

import re

from warpsmith.core.records import text_format

_LOOP = (
    "\n    "
    + text_format.GRID_STRIDE_LOOP[2]
    + f"""
         _idx < dim.size;
         {text_format.GRID_STRIDE_STEP})
    {{"""
)

_GUARD = f"""
    const size_t _idx = static_cast<size_t>(blockIdx.z * gridDim.y + blockIdx.y) * static_cast<size_t>(gridDim.x * blockDim.x)\
 + static_cast<size_t>(blockIdx.x * blockDim.x + threadIdx.x);
    {text_format.ELEMENT_GUARD}"""
"""What stands in place of the loop in kernels with ``grid_stride=False``."""

_CUDA = """extern "C" @bounds@__global__ void @name@_cuda_kernel_@direction@(
@parameters@)
{
    wp::tile_shared_storage_t tile_mem;
@elements@
            // reset shared memory allocator
@space@wp::tile_shared_storage_t::init();
"""

_CPU = """struct @name@_cpu_block_payload_@direction@
{
    wp_args_@name@* args;
@member@    wp::tile_shared_storage_t* tile_mem;
    size_t block_first;
};

static void @name@_cpu_block_thunk_@direction@(
    void* dim_ptr, size_t, int lane, void* payload_ptr)
{
    wp::launch_bounds_t<@dimensions@>* dim = (wp::launch_bounds_t<@dimensions@>*)dim_ptr;
    @name@_cpu_block_payload_@direction@* payload = (@name@_cpu_block_payload_@direction@*)payload_ptr;
    wp::tile_shared_storage_t::bind(payload->tile_mem);
    const size_t task_index = payload->block_first + (size_t)lane;
    @name@_cpu_kernel_@direction@@linear@(*dim, task_index, payload->args@argument@);
}

extern "C" {

@comment@WP_API void @name@_cpu_@direction@(
    wp::launch_bounds_t<@dimensions@> *dim,
    wp_args_@name@ *_wp_args@parameter@)
{
    constexpr size_t block_dim = (size_t)WP_TILE_BLOCK_DIM;
    const size_t total = dim->size;
    size_t block_first = 0;
    size_t block_id = 0;

    while (block_first < total)
    {
        const size_t remaining = total - block_first;
        const int active_count = (int)(remaining < block_dim ? remaining : block_dim);
        wp::tile_shared_storage_t tile_mem;
        @name@_cpu_block_payload_@direction@ payload = { _wp_args, @value@&tile_mem, block_first };
        if (!wp_cpu_run_block(
                WP_TILE_BLOCK_DIM, active_count, &@name@_cpu_block_thunk_@direction@, dim, block_id, &payload))
            return;
        block_first += (size_t)active_count;
        ++block_id;
    }
}

} // extern C
"""

_PARTS = {
    "bounds": r"(?:__launch_bounds__\(\d+(?:, \d+)*\) )?",
    "parameters": r"    wp::launch_bounds_t<\d> dim(?:,\n    [^\n;{}()]+)*",
    "elements": f"(?:{re.escape(_LOOP)}|{re.escape(_GUARD)})",
    "space": " +",
    "member": r"(?:    wp_args_(?P=name)\* adj_args;\n)?",
    "argument": r"(?:, payload->adj_args)?",
    "parameter": r"(?:,\n    wp_args_(?P=name) \*_wp_adj_args)?",
    "value": r"(?:_wp_adj_args, )?",
    "linear": r"(?:<false>)?",  # Warp 1.19
    "comment": r"(?:// Python CPU entry points\n)?",
}
_GROUPS = {"name": r"\w+", "direction": "forward|backward", "dimensions": r"\d"}


def _pattern(form: str) -> re.Pattern[str]:
    """Return the pattern of a form, whose groups are captured where they occur first."""
    seen: set[str] = set()

    def replaced(found: re.Match[str]) -> str:
        name = found[1]
        if name in _PARTS:
            return _PARTS[name]
        if name in seen:
            return f"(?P={name})"
        seen.add(name)
        return f"(?P<{name}>{_GROUPS[name]})"

    return re.compile(r"^" + re.sub(r"@(\w+)@", replaced, re.escape(form)), re.MULTILINE)


ENTRY = {"cuda": _pattern(_CUDA), "cpu": _pattern(_CPU)}
"""The beginning of a CUDA kernel, and a whole C++ entry point with its block function, by target."""


def has_entry(text: str, name: str, target: str, direction: str) -> bool:
    """Return whether a text has exactly one entry point, in Warp's form, of this kernel and direction and of no other.

    Examples:
        >>> has_entry('extern "C" __global__ void scale_cuda_kernel_forward(', "scale", "cuda", "forward")
        False
    """
    return [(found["name"], found["direction"]) for found in ENTRY[target].finditer(text)] == [(name, direction)]
