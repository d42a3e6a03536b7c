//! PFC-BRICKS, PFC-ASSEMBLE, PFC-EXTRACT: parts of a field (bundle document, On-disk layout: Fortran order).
//!
//! Cells are eight bytes that are moved, never looked into, so every bit pattern survives.

use super::overlap::Occupied;
use crate::{Reason, Rejection, Result};

const CELL_BYTES: usize = 8;

/// A box of cells and its bytes, x fastest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part<'a> {
    /// First cell along x, y, z.
    pub offset: [i64; 3],
    /// Cells along x, y, z.
    pub size: [i64; 3],
    /// Eight bytes for each cell.
    pub data: &'a [u8],
}

/// Puts a field together from the parts of any decomposition; `dimensions` are the domain's cells along x, y, z.
///
/// # Errors
/// Each over all parts before the next, at `parts/<i>`: `part-outside`, `part-size`, `parts-overlap` (the first part
/// that meets an earlier one); then `parts-gap`.
pub fn assemble(dimensions: [i64; 3], parts: &[Part<'_>]) -> Result<Vec<u8>> {
    let place = |index: usize| format!("parts/{index}");
    let mut regions = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        regions.push(Region::inside(dimensions, part.offset, part.size).map_err(|fault| fault.at(place(index)))?);
    }
    for (index, (part, region)) in parts.iter().zip(&regions).enumerate() {
        judge_bytes(part.data, region.size).map_err(|fault| fault.at(place(index)))?;
    }
    let mut occupied = Occupied::new(dimensions);
    for (index, region) in regions.iter().enumerate() {
        if !occupied.insert(region.offset, region.size) {
            let detail = "it holds a cell that an earlier part holds";
            return Err(Rejection::new(Reason::PartsOverlap, detail).at(place(index)));
        }
    }
    // All parts lie inside and apart, so they fill the domain exactly when their bytes add up to it.
    let total = parts.iter().map(|part| part.data.len() as u128).sum::<u128>();
    if Some(total) != byte_count(dimensions) {
        let detail = format!("the parts hold {total} bytes of a domain of {dimensions:?} cells");
        return Err(Rejection::new(Reason::PartsGap, detail));
    }
    let mut field = vec![0; parts.iter().map(|part| part.data.len()).sum()];
    for (part, region) in parts.iter().zip(&regions) {
        let rows = part.data.chunks_exact(region.row_bytes());
        for (start, row) in region.row_starts(dimensions).zip(rows) {
            if let Some(target) = field.get_mut(start..start + row.len()) {
                target.copy_from_slice(row);
            }
        }
    }
    Ok(field)
}

/// Takes a part out of a field.
///
/// # Errors
/// In this order: `part-outside`, `part-size` (the field's bytes are not eight for each cell of the domain).
pub fn extract(dimensions: [i64; 3], field: &[u8], offset: [i64; 3], size: [i64; 3]) -> Result<Vec<u8>> {
    let region = Region::inside(dimensions, offset, size)?;
    judge_bytes(field, dimensions)?;
    let mut part = Vec::new();
    for start in region.row_starts(dimensions) {
        part.extend_from_slice(field.get(start..start + region.row_bytes()).unwrap_or_default());
    }
    Ok(part)
}

/// A box that lies inside the domain.
struct Region {
    offset: [i64; 3],
    size: [i64; 3],
}

impl Region {
    /// The box, or `part-outside`.
    fn inside(dimensions: [i64; 3], offset: [i64; 3], size: [i64; 3]) -> Result<Self> {
        for ((length, first), cells) in dimensions.into_iter().zip(offset).zip(size) {
            if cells < 1 || first < 0 || i128::from(first) + i128::from(cells) > i128::from(length) {
                let detail = format!("{cells} cells from {first} are not inside an axis of {length}");
                return Err(Rejection::new(Reason::PartOutside, detail));
            }
        }
        Ok(Self { offset, size })
    }

    /// Bytes of one row along x. The part's bytes have been counted, so this fits.
    fn row_bytes(&self) -> usize {
        let [x, _, _] = self.size;
        usize::try_from(x).unwrap_or_default() * CELL_BYTES
    }

    /// Where each row begins in the field, in the part's own order: ((k·ny+j)·nx+i)·8. Call once the field's bytes have
    /// been counted; then every position fits.
    fn row_starts(&self, dimensions: [i64; 3]) -> impl Iterator<Item = usize> + use<> {
        let [nx, ny, _] = dimensions;
        let ([i, j, k], [_, rows, planes]) = (self.offset, self.size);
        (k..k + planes)
            .flat_map(move |k| (j..j + rows).map(move |j| (k * ny + j) * nx + i))
            .map(|cell| usize::try_from(cell).unwrap_or_default() * CELL_BYTES)
    }
}

/// `part-size` unless there are eight bytes for each cell.
fn judge_bytes(data: &[u8], size: [i64; 3]) -> Result<()> {
    if byte_count(size) == Some(data.len() as u128) {
        return Ok(());
    }
    Err(Rejection::new(
        Reason::PartSize,
        format!("{} bytes for {size:?} cells of {CELL_BYTES}", data.len()),
    ))
}

/// `None` when it is more than 128 bits can count.
fn byte_count(size: [i64; 3]) -> Option<u128> {
    size.into_iter().try_fold(CELL_BYTES as u128, |bytes, cells| {
        bytes.checked_mul(u128::try_from(cells).ok()?)
    })
}
