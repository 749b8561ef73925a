"""What Warp's registry says of a builtin, its signatures, and beside it the rows with what the registry does not know."""
