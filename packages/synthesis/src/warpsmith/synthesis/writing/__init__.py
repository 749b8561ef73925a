"""Writing of kernels: a category draws a skeleton with holes, the holes are filled, and rules check the result."""
