"""The `pfc` checkpoint bundle: a directory with `metadata.json` and one raw float64 file a field.

`metadata` reads and `canonical` writes the metadata, `ranges` holds what both judge, `restore` compares metadata with
what a program is about to load, `bricks` puts parts of a field together and takes them out, `bundle` opens a directory
and `publish` makes one appear whole or not at all.
"""
