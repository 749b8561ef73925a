"""The Python source of a live kernel as a file that runs alone."""
