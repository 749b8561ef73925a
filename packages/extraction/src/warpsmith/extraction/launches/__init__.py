"""Launches of kernels as records: inferred from real arguments, described by a user, or guessed."""
