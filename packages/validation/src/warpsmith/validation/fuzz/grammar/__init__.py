"""A grammar of forms: families of kernels, their axes and values, and the text of the kernel of each form.

`forms` has the tables of families, axes and values, and says which values mean the same. The modules `assign_text`, `atomic_text`, `tile_text`
and `expression_text` write the kernels of the families, `cases` adds arguments. None of them imports Warp.
"""
