"""The cases of the toy format."""
