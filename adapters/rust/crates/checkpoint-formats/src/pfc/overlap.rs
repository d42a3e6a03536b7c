//! Which cells are taken, kept as runs so that neither the number of parts nor an empty domain costs more than the
//! cells that are there.

use std::collections::BTreeMap;

/// The cells of the boxes inserted so far.
pub(super) struct Occupied {
    /// The axis runs go along: the longest, so that there are few.
    along: usize,
    /// From (other axis, other axis, first cell) to the cell behind the run.
    runs: BTreeMap<[i64; 3], i64>,
}

impl Occupied {
    pub(super) fn new(dimensions: [i64; 3]) -> Self {
        let longest = (0..3).zip(dimensions).max_by_key(|(_, length)| *length);
        Self {
            along: longest.map_or(0, |(axis, _)| axis),
            runs: BTreeMap::new(),
        }
    }

    /// Adds a box; false, at the first cell that was taken already.
    pub(super) fn insert(&mut self, offset: [i64; 3], size: [i64; 3]) -> bool {
        let ([first, b, c], [cells, rows, planes]) = (self.turn(offset), self.turn(size));
        let end = first + cells;
        for c in c..c + planes {
            for b in b..b + rows {
                let before = self.runs.range(..[c, b, end]).next_back();
                if before.is_some_and(|([plane, row, _], taken)| [*plane, *row] == [c, b] && *taken > first) {
                    return false;
                }
                self.runs.insert([c, b, first], end);
            }
        }
        true
    }

    /// Turns the axes so that runs go along the first.
    fn turn(&self, mut axes: [i64; 3]) -> [i64; 3] {
        axes.rotate_left(self.along);
        axes
    }
}
