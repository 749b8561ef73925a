"""Parameters of kernels, read from the text of a source and compared with the PTX of NVRTC."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warpsmith.simt.compilers.ptx_compiler import compile_ptx
from warpsmith.simt.launches.kernel_signatures import Declared, declared_kernels, plain_name

SOURCE = """
// __global__ void comment(int a) {}
/* __global__ void block(int a) {} */
const char* text = "__global__ void text(int a)";
extern "C" __global__ void __launch_bounds__(128 * (1 + 1), 2) plain(
    const float* __restrict__ x, float const *y, int n = 3, unsigned int m = 1, float4* v = nullptr,  // a comment, here
    unsigned long long *const u = 0, double = 2.0) {}
namespace inner { __global__ void nested(size_t n, bool flag, float (&rows)[4]) {} }
template <typename T, int N> __global__ void generic(T* x, long long n) {}
template __global__ void generic<float, 3>(float*, long long);
__global__ static void none() {}
static __global__ void nothing(void) {}
__global__ void __maxnreg__(32) limited(short int n) {}
__global__ void twice(int a) {}
__global__ void twice(float a, int b) {}
"""


def pairs(parameters: tuple[Declared, ...]) -> list[tuple[str, str]]:
    return [(parameter.type, parameter.name) for parameter in parameters]


def test_names_and_types_are_found() -> None:
    found = declared_kernels(SOURCE)
    assert set(found) == {"plain", "nested", "generic", "none", "nothing", "limited", "twice"}
    assert pairs(found["plain"][0]) == [
        ("float*", "x"),
        ("float*", "y"),
        ("int", "n"),
        ("unsigned int", "m"),
        ("float4*", "v"),
        ("unsigned long long*", "u"),
        ("double", ""),
    ]
    assert pairs(found["nested"][0])[:2] == [("size_t", "n"), ("bool", "flag")]
    assert pairs(found["generic"][0]) == [("T*", "x"), ("long long", "n")]
    assert found["none"] == found["nothing"] == [()]
    assert [len(parameters) for parameters in found["twice"]] == [1, 2]


def test_types_of_numbers() -> None:
    numbers = [parameter.number for parameter in declared_kernels(SOURCE)["plain"][0]]
    assert numbers == ["float32", "float32", "int32", "uint32", None, "uint64", "float64"]
    pointer = declared_kernels("__global__ void f(float** x);")["f"][0][0]
    assert pointer.is_pointer
    assert pointer.number is None


def test_declarations_have_as_many_parameters_as_the_ptx() -> None:
    text = SOURCE.replace("float (&rows)[4]", "int z")
    found = declared_kernels(text)
    entries = re.findall(r"\.entry (\w+)\(?([^){]*)", compile_ptx(text))
    assert {plain_name(name) for name, _ in entries} == set(found)
    for name, parameters in entries:
        assert parameters.count(".param") in {len(declared) for declared in found[plain_name(name)]}


@pytest.mark.parametrize(
    ("mangled", "name"),
    [
        ("_Z5scalePfi", "scale"),
        ("_ZN3abc3def5scaleEf", "scale"),
        ("_Z7genericIfLi3EEvPT_x", "generic"),
        ("_ZN12_GLOBAL__N_15scaleEPf", "scale"),
        ("scale", "scale"),
        ("_Z", "_Z"),
        ("_ZN", "_ZN"),
        ("", ""),
    ],
)
def test_plain_names(mangled: str, name: str) -> None:
    assert plain_name(mangled) == name


@given(st.text(alphabet="_global void(){}<>,*[]=\"'/\\\nx1;", max_size=80))
def test_any_text_is_read(text: str) -> None:
    declared_kernels(f"__global__ {text} __global__ void f(int a) {{}}")
    plain_name(f"_Z{text}")
