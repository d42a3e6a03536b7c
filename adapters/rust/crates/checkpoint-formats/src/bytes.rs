//! Little-endian reading that cannot index outside its input.

/// Reads fixed-width fields one after another; `None` once the input is used up.
pub(crate) struct Cursor<'a> {
    rest: &'a [u8],
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(data: &'a [u8]) -> Self {
        Self { rest: data }
    }

    pub(crate) fn borrowed<const N: usize>(&mut self) -> Option<&'a [u8; N]> {
        let (head, rest) = self.rest.split_first_chunk::<N>()?;
        self.rest = rest;
        Some(head)
    }

    pub(crate) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.borrowed().copied()
    }

    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }
}

/// `data[start..end]`, empty when the range does not lie inside `data`.
///
/// Readers call it with ranges they have already proved; an empty answer then never happens, and if a proof were wrong
/// a comparison would fail instead of the process.
pub(crate) fn part(data: &[u8], start: u64, end: u64) -> &[u8] {
    match (usize::try_from(start), usize::try_from(end)) {
        (Ok(start), Ok(end)) => data.get(start..end).unwrap_or_default(),
        _ => &[],
    }
}
