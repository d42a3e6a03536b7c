"""The cases of ``flysess1``, a module for each topic."""
