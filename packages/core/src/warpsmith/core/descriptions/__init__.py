"""Texts about a kernel at three levels, derived from its record alone: intent, specification and description."""
