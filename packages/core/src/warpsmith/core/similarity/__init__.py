"""Similarity of texts: tokens, sets of shingles, and a search for near-duplicate sets.

Texts are tokenized, never executed. Statistics use it for the near-duplicate rate, exports for clusters and benchmarks.
"""
