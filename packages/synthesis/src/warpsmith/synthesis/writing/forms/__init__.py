"""Forms: the style of a project, which all parts of a file have in common.

`file_style` chooses the style of a file. `parameter_notes` writes the comments of signatures, and docstrings with
`docstring_sections`. `file_forms` rewrites a composed kernel, with `casts`,
`precision` and `generics`; `float_types` says which kernels may have another precision.
"""
