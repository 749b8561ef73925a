"""Finishing: from a kernel without holes to a sample; dead code, stress, description, launch."""
