# /// script
# requires-python = ">=3.10"
# dependencies = ["numpy", "warp-lang"]
#
# [tool.warp-bug]
# topic = "components"
# kind = "forward"
# status = "new"
# issues = []
# versions = ["1.18.0", "1.19.0"]
# cause = """\
#   warp/_src/codegen.py, emit_Attribute: t.p as the aggregate of a store becomes transform_get_translation, a value, \
#   and the store goes to this value."""
# workaround = "t[0] += y, or a new transform"
# forms = [
#   "level-oracle target=transform_part operator=* context=* use=* source=* builtin=* call=*",
#   "pair-values|pair-gradient pair.target=transform_index~transform_part operator=* target=* context=*",
# ]
# ///
"""An assignment to a component of the position of a transform changes nothing

t.p.x += y and t.p[0] = y for a local transform t have no effect, and nothing is reported: the component of a copy of
the position is changed. For an array of transforms, tt[i].p.x = y does the same or is rejected. In Python scope t.p is
a view, and the transform changes.
"""

import warp as wp


@wp.kernel
def transform_part_component(out: wp.array(dtype=float)):
    t = wp.transform(wp.vec3(1.0, 2.0, 3.0), wp.quat(0.0, 0.0, 0.0, 1.0))
    t.p.x += 10.0
    out[0] = t.p.x


def main() -> int:
    """Print both results, and return 1 if they differ."""
    out = wp.zeros(1, dtype=float, device="cpu")
    wp.launch(transform_part_component, 1, [out], device="cpu")
    right, warp = 11.0, float(out.numpy()[0])
    print("right:", right)
    print("Warp: ", warp)
    return int(warp != right)


if __name__ == "__main__":
    raise SystemExit(main())
