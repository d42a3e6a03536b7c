//! LMDL-SLOT: one 64-byte commit record (coordinate document, section 2, `DiskSlot` wire format).

use super::coordinate::{StreamCoordinate, WideCoordinate};
use super::wide::narrow;
use crate::bytes::{Cursor, part};
use crate::{Reason, Rejection, Result};

/// Length of an encoded slot.
pub const SLOT_BYTES: usize = 64;
const MAGIC: [u8; 4] = *b"LMDL";
const VERSION: u32 = 1;
/// The CRC covers everything before itself.
const CHECKED_BYTES: usize = 60;

/// What one commit recorded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Slot {
    /// Sequence number of the commit.
    pub epoch: u64,
    /// Last batch the training step consumed.
    pub committed_batch_id: u64,
    /// Position directly behind that batch.
    pub coordinate: StreamCoordinate,
    /// Hashes of the log that are committed.
    pub dedup_count: u32,
}

impl Slot {
    /// Reads 64 bytes.
    ///
    /// # Errors
    /// In this order: `slot-size`, `slot-magic`, `slot-version`, `slot-crc`.
    pub fn decode(data: &[u8]) -> Result<Self> {
        let fields = Fields::split(data).ok_or_else(|| {
            Rejection::new(
                Reason::SlotSize,
                format!("{} bytes, a slot has {SLOT_BYTES}", data.len()),
            )
        })?;
        if fields.magic != MAGIC {
            return Err(Rejection::new(
                Reason::SlotMagic,
                format!("found {:02x?}, expected LMDL", fields.magic),
            ));
        }
        if fields.version != VERSION {
            return Err(Rejection::new(
                Reason::SlotVersion,
                format!("version {}, this is 1", fields.version),
            ));
        }
        let found = crc32fast::hash(fields.checked);
        if found != fields.crc {
            let detail = format!("bytes 0-59 have CRC {found:08x}, recorded is {:08x}", fields.crc);
            return Err(Rejection::new(Reason::SlotCrc, detail));
        }
        Ok(fields.slot)
    }

    /// R-LMDL-6: is this an intact slot that another version of the format wrote?
    pub(super) fn is_of_another_version(data: &[u8]) -> bool {
        Fields::split(data).is_some_and(|fields| {
            fields.magic == MAGIC && fields.version != VERSION && fields.crc == crc32fast::hash(fields.checked)
        })
    }

    /// The 64 bytes of this slot, with magic, version and CRC.
    #[must_use]
    pub fn encode(&self) -> [u8; SLOT_BYTES] {
        let mut data = [0; SLOT_BYTES];
        data[0..4].copy_from_slice(&MAGIC);
        data[4..8].copy_from_slice(&VERSION.to_le_bytes());
        data[8..16].copy_from_slice(&self.epoch.to_le_bytes());
        data[16..24].copy_from_slice(&self.committed_batch_id.to_le_bytes());
        data[24..56].copy_from_slice(&self.coordinate.encode());
        data[56..60].copy_from_slice(&self.dedup_count.to_le_bytes());
        let crc = crc32fast::hash(&data[..CHECKED_BYTES]);
        data[60..64].copy_from_slice(&crc.to_le_bytes());
        data
    }
}

/// The bytes of a slot taken apart, nothing judged yet.
struct Fields<'a> {
    magic: [u8; 4],
    version: u32,
    slot: Slot,
    crc: u32,
    checked: &'a [u8],
}

impl<'a> Fields<'a> {
    /// `None` unless there are exactly 64 bytes.
    fn split(data: &'a [u8]) -> Option<Self> {
        if data.len() != SLOT_BYTES {
            return None;
        }
        let mut fields = Cursor::new(data);
        Some(Self {
            magic: fields.array()?,
            version: fields.u32()?,
            slot: Slot {
                epoch: fields.u64()?,
                committed_batch_id: fields.u64()?,
                coordinate: StreamCoordinate::read(&mut fields)?,
                dedup_count: fields.u32()?,
            },
            crc: fields.u32()?,
            checked: part(data, 0, CHECKED_BYTES as u64),
        })
    }
}

/// A slot whose numbers are not yet known to fit their fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WideSlot {
    /// See [`Slot::epoch`].
    pub epoch: i128,
    /// See [`Slot::committed_batch_id`].
    pub committed_batch_id: i128,
    /// See [`Slot::coordinate`].
    pub coordinate: WideCoordinate,
    /// See [`Slot::dedup_count`].
    pub dedup_count: i128,
}

impl WideSlot {
    /// The slot, when every number fits its field.
    ///
    /// # Errors
    /// `field-out-of-range` at `epoch`, `committed_batch_id`, `coordinate/<field>` or `dedup_count`, the first bad one.
    pub fn narrow(&self) -> Result<Slot> {
        Ok(Slot {
            epoch: narrow(self.epoch, || "epoch".into())?,
            committed_batch_id: narrow(self.committed_batch_id, || "committed_batch_id".into())?,
            coordinate: self.coordinate.narrow()?,
            dedup_count: narrow(self.dedup_count, || "dedup_count".into())?,
        })
    }
}
