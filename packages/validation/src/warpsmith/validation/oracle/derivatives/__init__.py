"""Rules for the derivatives of builtins and operators: forward-mode differentiation of the interpreted Python."""
