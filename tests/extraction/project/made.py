"""Kernels that functions and decorators make."""

import functools

import warp as wp

dtype = wp.vec4


def announced(**options):
    """Decorate a kernel with options that the project chooses."""

    def decorate(function):
        return wp.kernel(function, enable_backward=options.get("backward"))

    return decorate


@announced(backward=False)
def forward_only(x: wp.array(dtype=float)):
    x[wp.tid()] = 1.0


def make_steps(count, dtype):
    @wp.struct
    class Pair:
        first: dtype
        second: dtype

    @wp.func
    def step(pair: Pair, factor: dtype = dtype(2.0)):  # noqa: B008 - the type is an argument
        return pair.first * factor + pair.second

    if count == 1:

        @wp.func_grad(step)
        def adj_step(pair: Pair, factor: dtype, adj_ret: dtype):
            wp.adjoint[pair.first] += factor * adj_ret

    return Pair, step


def make_kernel(count, dtype):
    pair_type, first = make_steps(count, dtype)
    other_type, second = make_steps(count + 1, wp.float64)
    native = make_native(count)

    def work(x: wp.array(dtype=dtype), out: wp.array(dtype=dtype)):
        i = wp.tid()
        pair = pair_type()
        pair.first = x[i]
        result = first(pair)
        for _ in range(wp.static(count)):
            result = result * dtype(native(float(count)))
        other = other_type()
        out[i] = result + dtype(second(other))

    return wp.Kernel(func=work, key=f"work_{count}_{dtype.__name__}")


@functools.cache
def make_native(count):
    snippet = f"return {count}.0f * x;"

    @wp.func_native(snippet)
    def times(x: float) -> float: ...

    return times


@wp.func
def counted(counter: wp.array(dtype=int), i: int):
    return wp.atomic_add(counter, i, 1)


@wp.func_replay(counted)
def replay_counted(counter: wp.array(dtype=int), i: int):
    return counter[i]


@wp.kernel
def replayed(counter: wp.array(dtype=int), x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[counted(counter, i)] = x[i] * x[i]


def kept(suffix):
    """Decorate a function of Warp with a name that the project chooses."""

    def decorate(function):
        return wp.func(function, name=f"{function.__name__}_{suffix}")

    return decorate


def make_power(count):
    @kept(suffix=count)
    def power(x: float):
        result = 1.0
        for _ in range(wp.static(count)):
            result *= x
        return result

    return power


@wp.kernel
def functions_by_decorators(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = wp.static(make_power(3))(x[i])


def make_shifted(by):
    @wp.func
    def shifted(x: float):
        return x + wp.static(by)

    shifted.unit = "m"
    return shifted


@wp.kernel
def functions_with_attributes(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    i = wp.tid()
    out[i] = wp.static(make_shifted(2.0))(x[i])


small, large = make_kernel(1, wp.float32), make_kernel(2, wp.float64)
