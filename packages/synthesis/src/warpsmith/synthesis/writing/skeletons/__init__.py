"""Skeletons, which are kernels with holes, and the templates that they consist of."""
