//! LMDL-HASH: the hash the log records (coordinate document, section 2, `dedup_count`).

/// XXH3-64 with seed 0 of exactly these bytes.
#[must_use]
pub fn hash(data: &[u8]) -> u64 {
    xxhash_rust::xxh3::xxh3_64(data)
}
