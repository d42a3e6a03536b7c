//! Checkpoint bundles.
