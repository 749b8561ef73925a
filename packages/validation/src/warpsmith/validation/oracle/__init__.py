"""A second opinion: what a kernel's Python means, computed with NumPy alone, thread by thread, with no part of Warp in it."""
