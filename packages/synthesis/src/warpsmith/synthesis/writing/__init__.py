"""Kernels composed of program ideas, the generator of version 3; `generate.write_kernel` writes one from a key.

An idea is a short Warp program of a domain, written by hand, with alternatives in its text. `ideas` composes kernels of them,
`catalogue` contains the domains and the categories, `dry_run` runs a kernel in plain Python, and `language` renders it.
`policy` contains the chances, weights and limits.
"""
