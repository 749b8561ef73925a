"""Calls: recursion, pointers to functions, structures as arguments and results, and local memory of each call."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from warpsmith.simt import Module, compile_ptx

SOURCE = r"""
#define CALLED __device__ __noinline__
CALLED int ackermann(int m, int n) { return m == 0 ? n + 1 : ackermann(m - 1, n == 0 ? 1 : ackermann(m, n - 1)); }
CALLED int is_odd(int n);
CALLED int is_even(int n) { return n == 0 ? 1 : is_odd(n - 1); }
CALLED int is_odd(int n) { return n == 0 ? 0 : is_even(n - 1); }
CALLED int digits(int n, int depth) {
    volatile int own[4];
    own[depth & 3] = n % 10;
    int rest = n < 10 ? 0 : digits(n / 10, depth + 1);
    return rest * 10 + own[depth & 3];
}
struct Point { double x; int y; char z[5]; };
CALLED Point moved(Point p, int by, const Point* q) {
    Point r = p;
    r.x += by * q->x; r.y -= by; r.z[by % 5] = 'A' + by % 26;
    return r;
}
typedef int (*Function)(int, int);
CALLED int plus(int a, int b) { return a + b; }
CALLED int minus(int a, int b) { return a - b; }
CALLED int times(int a, int b) { return a * b; }
CALLED int largest(int a, int b) { return a >= b ? a : largest(b, a); }
__device__ Function table[4] = {plus, minus, times, largest};
struct Base { __device__ virtual int value(int n) { return n; } };
struct Double : Base { __device__ int value(int n) override { return 2 * n; } };
struct Square : Base { __device__ int value(int n) override { return n * n; } };

__global__ void recursive(int* y) {
    int i = threadIdx.x;
    y[i] = ackermann(i % 3, i % 5) + 1000 * is_even(i) + 10000 * digits(i * 37, i);
}
__global__ void structures(Point* p) {
    int i = threadIdx.x;
    Point q = {0.5, 0, ""};
    p[i] = moved(p[i], i, &q);
}
__global__ void pointers(int* y) { int i = threadIdx.x; y[i] = table[i % 4](i, 7); }
__global__ void virtuals(int* y) {
    int i = threadIdx.x;
    Double d; Square s;
    Base* b = i % 2 ? (Base*)&d : (Base*)&s;
    y[i] = b->value(i);
}
__global__ void divergent(int* y) {
    int i = threadIdx.x, sum = 0;
    for (int k = 0; k < i % 7; k++) if ((i + k) % 2) sum += digits(i * k, k); else sum -= ackermann(1, k);
    y[i] = sum;
}
"""


@pytest.fixture(scope="module")
def module() -> Module:
    return Module(compile_ptx(SOURCE))


def result_of(module: Module, name: str, array: Any) -> Any:
    runs = [module.launch(name, 1, 64, [array], reverse=reverse, limit=2_000_000) for reverse in (False, True)]
    for run in runs:
        assert run.findings == ()
        assert (run.arrays[0] == runs[0].arrays[0]).all()
    return runs[0].arrays[0]


def ackermann(m: int, n: int) -> int:
    return n + 1 if m == 0 else ackermann(m - 1, 1 if n == 0 else ackermann(m, n - 1))


def test_recursion(module: Module) -> None:
    expected = [ackermann(i % 3, i % 5) + 1000 * (i % 2 == 0) + 10000 * i * 37 for i in range(64)]
    assert list(result_of(module, "recursive", np.zeros(64, np.int32))) == expected


def test_structures(module: Module) -> None:
    kind = np.dtype({"names": ["x", "y", "z"], "formats": ["<f8", "<i4", "S5"], "offsets": [0, 8, 12], "itemsize": 24})
    points = np.zeros(64, kind)
    points["x"], points["y"], points["z"] = np.arange(64), 100, b"abcde"
    result = result_of(module, "structures", points)
    assert list(result["x"]) == [i * 1.5 for i in range(64)]
    assert list(result["y"]) == [100 - i for i in range(64)]
    for i in range(64):
        text = bytearray(b"abcde")
        text[i % 5] = ord("A") + i % 26
        assert result["z"][i] == bytes(text)


def test_pointers_to_functions(module: Module) -> None:
    functions = (lambda a, b: a + b, lambda a, b: a - b, lambda a, b: a * b, max)
    assert list(result_of(module, "pointers", np.zeros(64, np.int32))) == [functions[i % 4](i, 7) for i in range(64)]


def test_virtual_functions(module: Module) -> None:
    expected = [2 * i if i % 2 else i * i for i in range(64)]
    assert list(result_of(module, "virtuals", np.zeros(64, np.int32))) == expected


def test_calls_of_divergent_threads(module: Module) -> None:
    expected = [sum(i * k if (i + k) % 2 else -(k + 2) for k in range(i % 7)) for i in range(64)]
    assert list(result_of(module, "divergent", np.zeros(64, np.int32))) == expected
