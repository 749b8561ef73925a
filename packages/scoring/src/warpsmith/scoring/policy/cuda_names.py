"""Names that CUDA text may use: keywords, types, members, and the functions of Warp's native library."""

from __future__ import annotations

import re
from functools import lru_cache

SCALAR_KEYWORDS = frozenset("bool char short int long unsigned signed float double size_t".split())

CONSTANTS = frozenset("true false INFINITY NAN".split())

COORDINATES = frozenset("threadIdx blockIdx blockDim gridDim".split())

FREE_FUNCTIONS = frozenset(
    """
    builtin_tid1d builtin_tid2d builtin_tid3d builtin_tid4d builtin_block_dim iter_cmp tile_fft tile_ifft
    tile_lower_solve tile_lower_solve_inplace tile_upper_solve tile_upper_solve_inplace
    """.split()
)
"""Functions and macros of Warp outside its namespace."""


C_FUNCTIONS = frozenset(
    """
    sinf cosf tanf asinf acosf atanf atan2f sinhf coshf tanhf sqrtf cbrtf expf exp2f logf log2f log10f powf fabsf floorf ceilf
    roundf truncf rintf fmodf fmaf erff erfcf
    """.split()
)
"""Functions of C that Warp's headers declare: they take and return numbers only."""

UNQUALIFIED = frozenset(
    """
    sin cos tan asin acos atan atan2 sinh cosh tanh sqrt cbrt exp log log2 log10 pow floor ceil round trunc rint abs min max
    """.split()
)
"""Functions of Warp that have another meaning, or none, without the namespace; answers may leave it out."""

EXTREMES = frozenset(("fminf", "fmaxf"))
"""Functions of CUDA that no header declares for CPUs."""

MATHEMATICAL = C_FUNCTIONS | UNQUALIFIED | EXTREMES
"""Functions that a text may call without a namespace, unless it has a variable of the name."""

CALLABLE_WITHOUT_DECLARATION = FREE_FUNCTIONS | {f"adj_{name}" for name in FREE_FUNCTIONS}

STRUCT_FUNCTIONS = frozenset("add adj_add sub adj_sub atomic_add adj_atomic_add".split())
"""Functions that Warp writes for each struct; they must have a parameter that is a struct of the text."""

ARRAY_TYPES = frozenset("array_t indexedarray_t fixedarray_t fabricarray_t indexedfabricarray_t".split())
"""Types that convert to a pointer, and whose members are addresses."""

TILE_TYPES = frozenset("tile_register_t tile_shared_t tile_stack_t".split())

OPAQUE_TYPES = frozenset(
    """
    launch_bounds_t tile_shared_storage_t bvh_query_t bvh_query_thread_block_t mesh_query_aabb_t
    mesh_query_aabb_thread_block_t mesh_query_sphere_t hash_grid_query_t hash_grid_query_f hash_grid_query_h
    hash_grid_query_d mesh_t texture1d_t texture2d_t texture3d_t
    """.split()
)
"""Types that contain addresses or handles, whose values only functions make."""

TYPES = (
    ARRAY_TYPES
    | TILE_TYPES
    | OPAQUE_TYPES
    | frozenset(
        """
        float16 bfloat16 float32 float64 int8 uint8 int16 uint16 int32 uint32 int64 uint64 bool
        vec_t mat_t quat_t transform_t tuple_t slice_t range_t shape_t str initializer_array
        tile_layout_register_t tile_layout_strided_t tile_shape_t tile_stride_t tile_coord_t
        mesh_query_point_t mesh_query_ray_t
        """.split()
    )
    | {
        f"vec{length}{suffix}"
        for length in (2, 3, 4)
        for suffix in ("", "f", "d", "h", "b", "ub", "s", "us", "i", "ui", "l", "ul")
    }
    | {
        f"{kind}{suffix}"
        for kind in ("mat22", "mat33", "mat44", "quat", "transform", "spatial_vector", "spatial_matrix")
        for suffix in ("", "f", "d", "h")
    }
    | {"spatial_vector_t", "spatial_matrix_t"}
)

SCALAR_TYPES = frozenset(
    """
    bool char short int float double unsigned wp::bool wp::float16 wp::float32 wp::float64 wp::int8 wp::uint8 wp::int16
    wp::uint16 wp::int32 wp::uint32 wp::int64 wp::uint64
    """.split()
)
"""Types of the elements of local arrays."""

_HELPERS = frozenset(
    """
    address load store array_store copy assign where extract iter_next iter_reverse range tuple view initializer_array
    float int bool float16 bfloat16 float32 float64 int8 uint8 int16 uint16 int32 uint32 int64 uint64
    tile_alloc_empty tile_reduce_axis hash_grid_query_f len
    """.split()
)
"""Native functions of generated text that the registry does not list."""

POINTER_RESULTS = frozenset("address index indexref view".split())
"""Functions whose results are pointers or arrays."""

VALUE_RESULTS = re.compile(
    r"load|len|extract|lower_bound|sample_cdf|unot|array_store|store|(?:atomic|adj|tile|iter|texture|volume|dense)_\w+"
)
"""Functions whose results are values even where an argument is a pointer or an array."""

CHANGES_ARGUMENTS = re.compile(r"adj_\w+|assign\w*|atomic_\w+|store|iter_\w+|\w+_inplace|builtin_\w+")

_NEVER = frozenset("array array_t indexref static breakpoint".split())

_GROUPS = re.compile(r"(?:adj_)?(tile|mesh|bvh|hash_grid|volume|texture|print|expect|dense|cast|index|fixedarray)(?=_|f?$)")
"""Functions that follow an identifier to memory, write to a stream or stop the program: the reference must use the group."""

_RESERVED = re.compile(
    r"(?:wp|std|main|assert|printf|NULL|errno|environ|stdin|stdout|stderr|unix|linux)$"
    r"|(?:wp|WP|CUDA|builtin|FP)_\w+|warpsmith\w*|_[A-Z_]\w*"
)
"""Names of Warp, the C library and compilers, among them macros."""

_KEYWORDS = frozenset(
    """
    alignas alignof and and_eq asm auto bitand bitor bool break case catch char class compl concept const consteval
    constexpr constinit const_cast continue co_await co_return co_yield decltype default delete do double dynamic_cast else
    enum explicit export extern false float for friend goto if inline int long mutable namespace new noexcept not not_eq
    nullptr operator or or_eq private protected public register reinterpret_cast requires return short signed sizeof static
    static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename union unsigned
    using virtual void volatile wchar_t while xor xor_eq
    """.split()
)

_RESERVED_NAMES = _KEYWORDS | SCALAR_KEYWORDS | CONSTANTS | COORDINATES | CALLABLE_WITHOUT_DECLARATION

_FUNCTION = re.compile(r"\w*[A-Za-z]\w*_\d+")
_STRUCT = re.compile(r"\w*[A-Za-z]\w*_(?:[0-9a-f]{8}|\d+)")


@lru_cache(maxsize=10_000)
def is_reserved(name: str) -> bool:
    """Return whether a text may not declare a name."""
    return name in _RESERVED_NAMES or _RESERVED.match(name) is not None


def is_function_name(name: str) -> bool:
    """Return whether a helper function may have a name: it ends with a number, as no function of a C library does."""
    return _FUNCTION.fullmatch(name) is not None


def is_struct_name(name: str) -> bool:
    """Return whether a struct may have a name: a function of a C library would hide a struct of the same name."""
    return _STRUCT.fullmatch(name) is not None


@lru_cache(maxsize=1)
def _native_functions() -> frozenset[str]:
    from warpsmith.extraction.warp.registries import native_names  # noqa: PLC0415 - Warp loads slowly; only CUDA text needs it

    registered = {name.removeprefix("wp::") for name in native_names() if name.startswith("wp::")}
    names = registered | _HELPERS
    return frozenset((names | {f"adj_{name}" for name in names}) - _NEVER)


def is_native_function(name: str, groups: frozenset[str]) -> bool:
    """Return whether a text may call a function of Warp's native library.

    Args:
        name: the name without namespace.
        groups: the groups of guarded functions that the reference uses, from `guarded_groups`.
    """
    if name not in _native_functions():
        return False
    found = _GROUPS.match(name)
    return found is None or found[1] in groups


def guarded_groups(text: str) -> frozenset[str]:
    """Return the groups of guarded functions that a text uses."""
    return frozenset(found[1] for name in re.findall(r"\b(?:wp::)?(\w+)[(<]", text) if (found := _GROUPS.match(name)))
