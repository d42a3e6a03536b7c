"""The cases of ``pfc``, a module for each topic."""
