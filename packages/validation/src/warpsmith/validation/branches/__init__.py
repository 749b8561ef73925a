"""Inputs directed at the branches of a kernel: the comparisons of its Python say where branches turn."""
