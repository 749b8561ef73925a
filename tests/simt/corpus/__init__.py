"""Kernels with launches and results: wrong kernels with right twins, realistic programs, and variants of one computation."""
