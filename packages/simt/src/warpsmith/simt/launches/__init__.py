"""Launches of kernels on the machine: arguments, runs, findings and counts."""
