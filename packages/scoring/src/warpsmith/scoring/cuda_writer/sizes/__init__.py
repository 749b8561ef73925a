"""The sizes of a launch as parameters of a kernel: threads, lengths of axes, and what is equal."""
