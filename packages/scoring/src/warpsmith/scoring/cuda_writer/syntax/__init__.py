"""Rules that read and change the syntax tree of the Python alone."""
