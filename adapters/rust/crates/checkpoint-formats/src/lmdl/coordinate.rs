//! LMDL-COORDINATE: the 32-byte position in a multi-shard stream (coordinate document, section 1).

use super::wide::narrow;
use crate::bytes::Cursor;
use crate::{Reason, Rejection, Result};

/// Length of an encoded coordinate.
pub const COORDINATE_BYTES: usize = 32;

/// A position in a stream of shards. Any 32 bytes are one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct StreamCoordinate {
    /// Index in the expanded list of shards.
    pub shard_id: u32,
    /// Byte offset in the shard.
    pub byte_offset: u64,
    /// Parquet row group.
    pub row_group_idx: u32,
    /// Reserved page index: any value, kept.
    pub page_idx: u32,
    /// Row within the row group.
    pub row_offset_in_page: u32,
    /// Records scanned across all shards.
    pub global_row_idx: u64,
}

impl StreamCoordinate {
    /// Reads 32 little-endian bytes.
    ///
    /// # Errors
    /// `coordinate-size` for any other length.
    pub fn decode(data: &[u8]) -> Result<Self> {
        Self::read(&mut Cursor::new(data))
            .filter(|_| data.len() == COORDINATE_BYTES)
            .ok_or_else(|| {
                Rejection::new(
                    Reason::CoordinateSize,
                    format!("{} bytes, a coordinate has {COORDINATE_BYTES}", data.len()),
                )
            })
    }

    pub(super) fn read(fields: &mut Cursor<'_>) -> Option<Self> {
        Some(Self {
            shard_id: fields.u32()?,
            byte_offset: fields.u64()?,
            row_group_idx: fields.u32()?,
            page_idx: fields.u32()?,
            row_offset_in_page: fields.u32()?,
            global_row_idx: fields.u64()?,
        })
    }

    /// The 32 bytes of this coordinate.
    #[must_use]
    pub fn encode(&self) -> [u8; COORDINATE_BYTES] {
        let mut data = [0; COORDINATE_BYTES];
        data[0..4].copy_from_slice(&self.shard_id.to_le_bytes());
        data[4..12].copy_from_slice(&self.byte_offset.to_le_bytes());
        data[12..16].copy_from_slice(&self.row_group_idx.to_le_bytes());
        data[16..20].copy_from_slice(&self.page_idx.to_le_bytes());
        data[20..24].copy_from_slice(&self.row_offset_in_page.to_le_bytes());
        data[24..32].copy_from_slice(&self.global_row_idx.to_le_bytes());
        data
    }
}

/// A coordinate whose numbers are not yet known to fit their fields.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WideCoordinate {
    /// See [`StreamCoordinate::shard_id`].
    pub shard_id: i128,
    /// See [`StreamCoordinate::byte_offset`].
    pub byte_offset: i128,
    /// See [`StreamCoordinate::row_group_idx`].
    pub row_group_idx: i128,
    /// See [`StreamCoordinate::page_idx`].
    pub page_idx: i128,
    /// See [`StreamCoordinate::row_offset_in_page`].
    pub row_offset_in_page: i128,
    /// See [`StreamCoordinate::global_row_idx`].
    pub global_row_idx: i128,
}

impl WideCoordinate {
    /// The coordinate, when every number fits its field.
    ///
    /// # Errors
    /// `field-out-of-range` at `coordinate/<field>`, the first bad one in the order of the layout.
    pub fn narrow(&self) -> Result<StreamCoordinate> {
        Ok(StreamCoordinate {
            shard_id: narrow(self.shard_id, || place("shard_id"))?,
            byte_offset: narrow(self.byte_offset, || place("byte_offset"))?,
            row_group_idx: narrow(self.row_group_idx, || place("row_group_idx"))?,
            page_idx: narrow(self.page_idx, || place("page_idx"))?,
            row_offset_in_page: narrow(self.row_offset_in_page, || place("row_offset_in_page"))?,
            global_row_idx: narrow(self.global_row_idx, || place("global_row_idx"))?,
        })
    }
}

fn place(field: &str) -> String {
    format!("coordinate/{field}")
}

impl From<StreamCoordinate> for WideCoordinate {
    fn from(coordinate: StreamCoordinate) -> Self {
        Self {
            shard_id: coordinate.shard_id.into(),
            byte_offset: coordinate.byte_offset.into(),
            row_group_idx: coordinate.row_group_idx.into(),
            page_idx: coordinate.page_idx.into(),
            row_offset_in_page: coordinate.row_offset_in_page.into(),
            global_row_idx: coordinate.global_row_idx.into(),
        }
    }
}
