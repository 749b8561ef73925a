"""The checks, one file each, in the order of `registry.LEVELS`.

A level's file declares its row, `LEVEL`, and a function ``check(lines, context)``. The function receives the lines of one batch
and a `BatchContext`, and returns or yields one `Finding` for each line, in the order of the lines.
"""
