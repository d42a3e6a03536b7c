//! LMDL-COMMIT: what one commit changes (coordinate document, section 2).

use super::coordinate::{StreamCoordinate, WideCoordinate};
use super::recovery::{META_BYTES, Recovered, SlotName, recover};
use super::slot::{SLOT_BYTES, Slot};
use super::wide::narrow;
use crate::{Reason, Rejection, Result};

/// What is to be committed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Batch {
    /// The batch the training step consumed.
    pub batch_id: u64,
    /// The position directly behind it.
    pub coordinate: StreamCoordinate,
    /// New hashes, appended to the log in this order.
    pub hashes: Vec<u64>,
}

/// A batch whose numbers are not yet known to fit their fields.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WideBatch {
    /// See [`Batch::batch_id`].
    pub batch_id: i128,
    /// See [`Batch::coordinate`].
    pub coordinate: WideCoordinate,
    /// See [`Batch::hashes`].
    pub hashes: Vec<i128>,
}

impl WideBatch {
    /// The batch, when every number fits its field.
    ///
    /// # Errors
    /// `field-out-of-range` at `batch_id`, `coordinate/<field>` or `hashes/<i>`, the first bad one.
    pub fn narrow(&self) -> Result<Batch> {
        Ok(Batch {
            batch_id: narrow(self.batch_id, || "batch_id".into())?,
            coordinate: self.coordinate.narrow()?,
            hashes: (self.hashes.iter().enumerate())
                .map(|(index, hash)| narrow(*hash, || format!("hashes/{index}")))
                .collect::<Result<_>>()?,
        })
    }
}

/// The bytes a commit leaves behind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Commit {
    /// The whole new `.meta` file; only the 64 bytes of [`Commit::slot`] differ from the old one.
    pub meta: [u8; META_BYTES],
    /// The log is first cut to this many bytes ...
    pub log_keep: u64,
    /// ... and then these are appended.
    pub log_append: Vec<u8>,
    /// The slot written.
    pub slot: SlotName,
    /// The new epoch.
    pub epoch: u64,
}

/// Commits `batch` on what `meta` and a log of `log_length` bytes recover to.
///
/// # Errors
/// Those of [`recover`], then `epoch-exhausted`, `dedup-count-overflow` and `commit-would-overwrite-active` at
/// `slot/A` or `slot/B`.
pub fn commit(meta: Option<&[u8]>, log_length: u64, batch: &Batch) -> Result<Commit> {
    let state = recover(meta, log_length)?;
    let next = Next::after(&state, batch.hashes.len())?;
    Ok(next.write(meta, &state, batch))
}

/// [`commit`] for numbers of any size, which are judged last.
///
/// # Errors
/// Those of [`commit`], then `field-out-of-range` as [`WideBatch::narrow`] states it.
pub fn commit_wide(meta: Option<&[u8]>, log_length: u64, batch: &WideBatch) -> Result<Commit> {
    let state = recover(meta, log_length)?;
    let next = Next::after(&state, batch.hashes.len())?;
    Ok(next.write(meta, &state, &batch.narrow()?))
}

/// Where the next commit goes.
struct Next {
    epoch: u64,
    dedup_count: u32,
    slot: SlotName,
}

impl Next {
    fn after(state: &Recovered, new_hashes: usize) -> Result<Self> {
        let epoch = state.slot.epoch.checked_add(1).ok_or_else(|| {
            Rejection::new(
                Reason::EpochExhausted,
                "the active epoch is 2^64-1, there is none behind it",
            )
        })?;
        let count = u32::try_from(new_hashes)
            .ok()
            .and_then(|new| state.slot.dedup_count.checked_add(new));
        let dedup_count = count.ok_or_else(|| {
            let detail = format!(
                "{} committed and {new_hashes} new hashes, at most 2^32-1",
                state.slot.dedup_count
            );
            Rejection::new(Reason::DedupCountOverflow, detail)
        })?;
        let slot = SlotName::of_epoch(epoch);
        // R-LMDL-5: a slot of foreign parity stands where the next commit would go; a torn write there would lose it.
        if state.active == Some(slot) {
            let detail = format!("epoch {epoch} belongs where the only standing commit is");
            return Err(Rejection::new(Reason::CommitWouldOverwriteActive, detail).at(slot.place()));
        }
        Ok(Self {
            epoch,
            dedup_count,
            slot,
        })
    }

    fn write(&self, meta: Option<&[u8]>, state: &Recovered, batch: &Batch) -> Commit {
        let mut new_meta = meta.and_then(|meta| meta.try_into().ok()).unwrap_or([0; META_BYTES]);
        let record = Slot {
            epoch: self.epoch,
            committed_batch_id: batch.batch_id,
            coordinate: batch.coordinate,
            dedup_count: self.dedup_count,
        };
        let (a, b) = new_meta.split_at_mut(SLOT_BYTES);
        let target = if self.slot == SlotName::A { a } else { b };
        target.copy_from_slice(&record.encode());
        Commit {
            meta: new_meta,
            log_keep: state.log_length,
            log_append: batch.hashes.iter().flat_map(|hash| hash.to_le_bytes()).collect(),
            slot: self.slot,
            epoch: self.epoch,
        }
    }
}
