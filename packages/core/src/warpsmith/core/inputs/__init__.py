"""Inputs: the values of a launch's arguments."""
