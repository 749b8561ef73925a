"""The default limits of the pytest plugin, in a module that loads nothing else."""

SECONDS = 600.0
"""The time limit of the checks."""

KERNELS = 1000
"""The limit of the number of kernels."""
