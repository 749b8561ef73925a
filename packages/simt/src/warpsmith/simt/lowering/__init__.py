"""Translation of PTX functions to the instructions of the machine: slots instead of registers, numbers instead of names."""
