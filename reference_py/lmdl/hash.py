"""The hash of one record in the log of committed records (coordinate document section 2)."""

from __future__ import annotations

import xxhash


def record_hash(data: bytes) -> int:
    """XXH3-64 with seed 0 of exactly the bytes given (LMDL-HASH, coordinate document section 2)."""
    return xxhash.xxh3_64_intdigest(data, seed=0)
