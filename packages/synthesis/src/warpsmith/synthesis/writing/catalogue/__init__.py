"""The catalogue of kernels: categories, motifs, vocabulary."""
