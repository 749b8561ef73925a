"""The judge of plain CUDA: it compiles texts, and launches them in guarded memory."""
