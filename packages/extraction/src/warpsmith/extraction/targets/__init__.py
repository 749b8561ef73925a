"""Extraction targets: import of files, modules and packages, and the kernels in them."""
