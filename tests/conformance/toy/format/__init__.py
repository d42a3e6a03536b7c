"""A format of two bytes, the magic "T" and a count: what the suite asks of a format, and nothing more."""
