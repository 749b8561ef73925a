"""Resemblance of kernels and functions to those of a real project.

Figures of functions and their calls, the bits per token of a model of texts with roles, and a classifier that tells kernels
of a dataset from those of a project. All of them are read from the syntax; nothing is imported or executed.
"""
