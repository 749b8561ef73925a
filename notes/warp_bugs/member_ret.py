# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "warp-lang"]
#
# [tool.warp-bug]
# topic = "forward"
# kind = "compile"
# status = "new"
# issues = []
# versions = ["1.18.0", "1.19.0"]
# cause = """\
#   warp/_src/codegen.py, line 8122: the parameter adj_ret of the adjoint of the constructor collides with adj_ + the \
#   name of the member."""
# workaround = "any other name"
# forms = [
#   "compile member=ret",
# ]
# ///
"""A struct with a member named ret does not compile

The function adj_<struct> has a parameter adj_ret for the member and another one for the whole struct.
"""

import warp as wp


@wp.struct
class WithRet:
    ret: float


@wp.kernel(module="unique")
def member_ret(x: wp.array(dtype=float), out: wp.array(dtype=float)):
    s = WithRet()
    s.ret = x[0]
    out[0] = s.ret


def main() -> int:
    """Print whether Warp compiles the kernel, and return 1 if it does not."""
    print("right: the kernel compiles and runs")
    try:
        x = wp.ones(1, dtype=float, device="cpu")
        wp.launch(member_ret, 1, [x, wp.zeros(1, dtype=float, device="cpu")], device="cpu")
    except Exception as error:
        print("Warp: ", type(error).__name__, str(error).strip().split("\n")[0][:200])
        return 1
    print("Warp:  the kernel compiles and runs")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
