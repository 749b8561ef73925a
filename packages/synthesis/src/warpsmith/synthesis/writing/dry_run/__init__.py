"""The dry run of a written kernel: it runs in plain Python, to reject kernels whose results show nothing.

Bounds make a kernel safe, but not interesting: ``wp.max(x, 0.25)`` is valid, and constant where x is never that large.
`kernel_run` finds such kernels by their outputs for the values that validation uses. `plain_vectors`, `arrays` and
`builtin_substitutes` take the place of Warp; they support what the renderer writes and nothing else. Numbers are float64, and
integer division is Python's: ``%`` and ``//`` differ from C for a negative left side, which does not change the outcome of a
dry run.
"""
