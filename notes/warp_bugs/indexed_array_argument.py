# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "warp-lang"]
#
# [tool.warp-bug]
# topic = "forward"
# kind = "compile"
# status = "known"
# issues = [1479]
# versions = ["1.18.0", "1.19.0"]
# cause = """\
#   warp/_src/codegen.py: adjoints of indexedarray arguments are declared as array_t in functions and as indexedarray_t \
#   in kernels on the CPU."""
# workaround = "the kernel reads the elements and passes them"
# forms = [
#   "compile|crash argument=indexed",
# ]
# ///
"""The backward pass of a function with an indexed array does not compile

A function that takes a wp.indexedarray runs forward. Its adjoint does not compile on the CPU: it expects the gradient
as wp::array_t and receives wp::indexedarray_t.
"""

import warp as wp


@wp.func
def first_element(a: wp.indexedarray(dtype=float)):
    return a[0]


@wp.kernel(module="unique")
def indexed_array_argument(x: wp.indexedarray(dtype=float), out: wp.array(dtype=float)):
    out[0] = first_element(x)


def main() -> int:
    """Print whether Warp compiles the kernel, and return 1 if it does not."""
    print("right: the kernel compiles and runs")
    try:
        data = wp.array([2.0, 3.0], dtype=float, device="cpu")
        x = wp.indexedarray(data, [wp.array([1], dtype=int, device="cpu")])
        wp.launch(indexed_array_argument, 1, [x, wp.zeros(1, dtype=float, device="cpu")], device="cpu")
    except Exception as error:
        print("Warp: ", type(error).__name__, str(error).strip().split("\n")[0][:200])
        return 1
    print("Warp:  the kernel compiles and runs")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
