"""The cases of ``lmdl``, a module for each topic."""
