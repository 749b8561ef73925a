"""How much the Python of kernels resembles real code, and how much it teaches about real code.

`kernels` finds kernels in files and `facts` prepares what predicates need; `features` is the table of predicates. `skeletons`,
`entropy` and `transfer` contain the other figures, and `section` combines them into one section of `stats.json`. Texts are
parsed, never executed. `notes/reference/statistics.md` explains every figure.
"""
