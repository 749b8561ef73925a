"""Warp's builtins in NumPy, and the table of them."""
