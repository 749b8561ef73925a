"""Warp's builtins in CUDA: a row each."""
