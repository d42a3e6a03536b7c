"""`pfc` publish and restart as MPI programs do them: collectively, each rank with its own brick.

Source: bundle document, Atomicity protocol.
"""
