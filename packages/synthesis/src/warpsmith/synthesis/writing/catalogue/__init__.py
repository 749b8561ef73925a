"""The catalogue of kernels: categories, and domains of program ideas."""
