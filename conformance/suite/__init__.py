"""The suite: vectors read from disk, edits applied, sweeps expanded into trials."""
