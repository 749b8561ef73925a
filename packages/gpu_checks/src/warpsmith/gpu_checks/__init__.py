"""Checks on a CUDA device: pairs are built, loaded and launched there, and compared with the CPU."""
