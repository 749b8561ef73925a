"""What kernels are written about and with: categories, motifs, vocabulary."""
