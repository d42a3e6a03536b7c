//! LMDL-RECOVER-1 to LMDL-RECOVER-4: which commit stands (coordinate document, section 3).

use super::slot::{SLOT_BYTES, Slot};
use crate::{Reason, Rejection, Result};

/// Length of a `.meta` file: slot A, then slot B.
pub const META_BYTES: usize = 2 * SLOT_BYTES;
/// Each committed hash takes eight bytes of the log.
pub(super) const HASH_BYTES: u64 = 8;

/// One of the two slots of a `.meta` file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SlotName {
    /// Bytes 0-63, odd epochs.
    A,
    /// Bytes 64-127, even epochs.
    B,
}

impl SlotName {
    /// `"A"` or `"B"`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::A => "A",
            Self::B => "B",
        }
    }

    pub(super) fn of_epoch(epoch: u64) -> Self {
        if epoch % 2 == 1 { Self::A } else { Self::B }
    }

    pub(super) fn place(self) -> String {
        format!("slot/{}", self.as_str())
    }
}

/// What decoding one slot said.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SlotStatus {
    /// The slot decodes.
    Valid,
    /// Why it does not.
    Invalid(Reason),
}

impl SlotStatus {
    /// `"valid"` or the reason's identifier.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Invalid(reason) => reason.as_str(),
        }
    }

    fn of(slot: &Result<Slot>) -> Self {
        match slot {
            Ok(_) => Self::Valid,
            Err(rejection) => Self::Invalid(rejection.reason),
        }
    }
}

/// The state a `.meta` file and its log recover to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// The slot that stands; `None` for a fresh state.
    pub active: Option<SlotName>,
    /// Its content; all zero for a fresh state.
    pub slot: Slot,
    /// Bytes of the log that stand; the rest is to be cut off.
    pub log_length: u64,
    /// The status of slot A.
    pub slot_a: SlotStatus,
    /// The status of slot B.
    pub slot_b: SlotStatus,
}

/// Recovers from the bytes of `.meta` (`None` when there is no such file) and the byte length of the log (0 when there
/// is none). Reads only.
///
/// # Errors
/// In this order: `meta-size`, `meta-version` at `slot/A` or `slot/B`, `meta-no-valid-slot`, `dedup-short`.
pub fn recover(meta: Option<&[u8]>, log_length: u64) -> Result<Recovered> {
    let meta = meta.unwrap_or_default();
    if is_fresh(meta) {
        return Ok(fresh());
    }
    let (a, b) = meta
        .split_at_checked(SLOT_BYTES)
        .filter(|_| meta.len() == META_BYTES)
        .ok_or_else(|| wrong_size(meta.len() as u64))?;
    for (name, data) in [(SlotName::A, a), (SlotName::B, b)] {
        if Slot::is_of_another_version(data) {
            let detail = "an intact slot of another version: a newer program committed here";
            return Err(Rejection::new(Reason::MetaVersion, detail).at(name.place()));
        }
    }
    let (a, b) = (Slot::decode(a), Slot::decode(b));
    let (active, slot) = choose(&a, &b)?;
    Ok(Recovered {
        active: Some(active),
        slot,
        log_length: committed_log(&slot, log_length)?,
        slot_a: SlotStatus::of(&a),
        slot_b: SlotStatus::of(&b),
    })
}

/// R-LMDL-1: nothing was ever committed to an empty or all-zero file.
pub(super) fn is_fresh(meta: &[u8]) -> bool {
    meta.is_empty() || meta == [0; META_BYTES]
}

/// `meta-size` of a `.meta` file of `length` bytes.
pub(super) fn wrong_size(length: u64) -> Rejection {
    Rejection::new(
        Reason::MetaSize,
        format!("{length} bytes, a .meta file has {META_BYTES} or none"),
    )
}

fn fresh() -> Recovered {
    let absent = SlotStatus::Invalid(Reason::SlotMagic);
    Recovered {
        active: None,
        slot: Slot::default(),
        log_length: 0,
        slot_a: absent,
        slot_b: absent,
    }
}

/// R-LMDL-2: the higher epoch as unsigned 64-bit, A when equal. R-LMDL-3: an epoch's parity is not judged.
fn choose(a: &Result<Slot>, b: &Result<Slot>) -> Result<(SlotName, Slot)> {
    match (a, b) {
        (Ok(a), Ok(b)) if b.epoch > a.epoch => Ok((SlotName::B, *b)),
        (Ok(a), _) => Ok((SlotName::A, *a)),
        (Err(_), Ok(b)) => Ok((SlotName::B, *b)),
        (Err(a), Err(b)) => Err(Rejection::new(
            Reason::MetaNoValidSlot,
            format!("slot A: {}; slot B: {}", a.reason, b.reason),
        )),
    }
}

/// R-LMDL-4: the log is cut to the committed hashes, never grown to them.
fn committed_log(slot: &Slot, log_length: u64) -> Result<u64> {
    let committed = u64::from(slot.dedup_count) * HASH_BYTES;
    if log_length < committed {
        let detail = format!(
            "the log has {log_length} bytes, {} hashes need {committed}",
            slot.dedup_count
        );
        return Err(Rejection::new(Reason::DedupShort, detail));
    }
    Ok(committed)
}
