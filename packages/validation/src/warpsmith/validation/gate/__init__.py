"""The gradient gate: the results of a project's own kernels, by file and line, and the pytest plugin that checks them."""
