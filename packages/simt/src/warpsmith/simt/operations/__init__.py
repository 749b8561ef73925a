"""The table of operations: each PTX instruction with its types as a C statement over one lane."""
