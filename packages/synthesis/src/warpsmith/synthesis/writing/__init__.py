"""How a kernel is written: a category draws a skeleton with holes, the holes are filled, and rules check each stroke."""
