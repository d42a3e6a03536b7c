//! Stream coordinates and ping-pong commit metadata.
//!
//! A `.meta` file is 128 bytes: slot A, slot B. Commits alternate between them by the parity of the epoch, so that a
//! torn write leaves the other slot standing. Beside it a log holds eight bytes for each committed hash.
//! [`open`] and [`commit_file`] work on both files; [`recover`] and [`commit`] on bytes:
//!
//! ```
//! use checkpoint_formats::lmdl::{Batch, SlotName, StreamCoordinate, commit, recover};
//!
//! # fn main() -> checkpoint_formats::Result<()> {
//! let batch = Batch { batch_id: 1, coordinate: StreamCoordinate::default(), hashes: vec![0xfeed] };
//! let commit = commit(None, 0, &batch)?;
//! assert_eq!((commit.slot, commit.epoch, commit.log_append.len()), (SlotName::A, 1, 8));
//!
//! let state = recover(Some(&commit.meta), 13)?;
//! assert_eq!((state.slot.epoch, state.log_length), (1, 8));
//! # Ok(())
//! # }
//! ```

mod commit;
mod coordinate;
mod disk;
mod hash;
mod recovery;
mod slot;
mod wide;

pub use commit::{Batch, Commit, WideBatch, commit, commit_wide};
pub use coordinate::{COORDINATE_BYTES, StreamCoordinate, WideCoordinate};
pub use disk::{OpenError, Opened, commit_file, commit_file_wide, open};
pub use hash::hash;
pub use recovery::{META_BYTES, Recovered, SlotName, SlotStatus, recover};
pub use slot::{SLOT_BYTES, Slot, WideSlot};
