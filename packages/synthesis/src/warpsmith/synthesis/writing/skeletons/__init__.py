"""Skeletons: kernels with holes, and the templates they are made of."""
