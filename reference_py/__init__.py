"""The three checkpoint formats (`lmdl`, `pfc`, `flysess1`) in plain Python, written to be read: a port starts here.

Every reader returns a value or raises one `Rejection`. Bytes go in and bytes come out; only `pfc` bundles,
`lmdl.disk` and `flysess1.store` touch a file system.
"""
