# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "warp-lang"]
#
# [tool.warp-bug]
# topic = "forward"
# kind = "forward"
# status = "new"
# issues = []
# versions = ["1.18.0", "1.19.0"]
# cause = """\
#   warp/_src/codegen.py, emit_If: the phi of a symbol whose two values are the same constant becomes the cached \
#   variable of the constant."""
# workaround = "a literal in place of the constant"
# forms = [
#   "forward|gradient|level-emulate|level-oracle|level-simt constant=after_branch dtype=*",
# ]
# ///
"""A module constant has no value after a nested branch that assigns it

Warp joins the two assignments of the constant in the inner branch by a where of the constant with itself, and stores
the result as the value of the constant. The statement belongs to the outer branch; where the thread does not take it,
later uses of the constant read a variable without a value.

What an uninitialized variable contains depends on the compiler. The script reads the generated C++ code: the constant
is assigned in it.
"""

import pathlib
import re
import tempfile

import warp as wp

BAD = wp.constant(3)


@wp.kernel(module="unique", enable_backward=False)
def constant_after_branch(a: wp.array(dtype=int), b: wp.array(dtype=int), out: wp.array(dtype=int)):
    i = wp.tid()
    x = int(0)
    if a[i] == 0:
        x = 1
    else:
        if b[i] == 0:
            x = BAD
        elif b[i] == 1:
            x = BAD
    y = int(7)
    if b[i] == 1:
        y = BAD
    out[i] = x * 10 + y


def main() -> int:
    """Print both results, and return 1 if they differ."""
    with tempfile.TemporaryDirectory() as folder:
        module = constant_after_branch.module
        wp.compile_aot_module(module, device="cpu", module_dir=folder, strip_hash=True)
        (code,) = pathlib.Path(folder).glob("*.cpp")
        text = code.read_text()
    constants = set(re.findall(r"const wp::int32 (var_\d+) = 3;", text))
    joined = [
        name
        for name, *both in re.findall(r"(var_\d+) = wp::where\(var_\d+, (var_\d+), (var_\d+)\);", text)
        if constants >= {*both}
    ]
    right = "the constant 3 is not assigned in a branch"
    warp = f"a branch assigns the constant 3 to {joined[0]}, which is used after the branch" if joined else right
    print("right:", right)
    print("Warp: ", warp)
    return int(warp != right)


if __name__ == "__main__":
    raise SystemExit(main())
