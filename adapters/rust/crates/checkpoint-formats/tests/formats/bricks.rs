//! PFC-BRICKS, PFC-ASSEMBLE, PFC-EXTRACT.

use checkpoint_formats::pfc::{Part, assemble, extract};

use crate::refusal::{Refusal, at, plain, refusal};

/// Cell number as eight bytes; any pattern would do.
fn cells(numbers: &[u64]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn part<'a>(offset: [i64; 3], size: [i64; 3], data: &'a [u8]) -> Part<'a> {
    Part { offset, size, data }
}

fn refused(dimensions: [i64; 3], parts: &[Part<'_>]) -> Refusal {
    refusal(assemble(dimensions, parts))
}

#[test]
fn x_runs_fastest_in_every_decomposition() {
    // 2 x 3 x 2 cells, numbered in file order: i + 2j + 6k.
    let whole = cells(&(0..12).collect::<Vec<_>>());
    let columns = [cells(&[0, 2, 4, 6, 8, 10]), cells(&[1, 3, 5, 7, 9, 11])];
    let by_x = [
        part([1, 0, 0], [1, 3, 2], &columns[1]),
        part([0, 0, 0], [1, 3, 2], &columns[0]),
    ];
    let pieces = [cells(&[0, 1, 6, 7]), cells(&[2, 3, 4, 5]), cells(&[8, 9, 10, 11])];
    let mixed = [
        part([0, 1, 0], [2, 2, 1], &pieces[1]),
        part([0, 0, 0], [2, 1, 2], &pieces[0]),
        part([0, 1, 1], [2, 2, 1], &pieces[2]),
    ];
    for parts in [&by_x[..], &mixed[..], &[part([0; 3], [2, 3, 2], &whole)]] {
        assert_eq!(assemble([2, 3, 2], parts), Ok(whole.clone()));
        for part in parts {
            assert_eq!(
                extract([2, 3, 2], &whole, part.offset, part.size),
                Ok(part.data.to_vec())
            );
        }
    }
}

#[test]
fn every_bit_pattern_survives() {
    let patterns = cells(&[0x7ff0_0000_0000_0001, 1 << 63, 1, u64::MAX, 0xfff8_dead_beef_0001]);
    assert_eq!(
        assemble([1, 1, 5], &[part([0; 3], [1, 1, 5], &patterns)]),
        Ok(patterns.clone())
    );
    assert_eq!(extract([5, 1, 1], &patterns, [3, 0, 0], [1, 1, 1]), Ok(vec![0xff; 8]));
}

#[test]
fn parts_lie_inside() {
    let one = [0; 8];
    for (offset, size) in [
        ([0; 3], [0, 1, 1]),
        ([0; 3], [1, -1, 1]),
        ([-1, 0, 0], [1; 3]),
        ([0, 0, 2], [1; 3]),
        ([1, 0, 0], [2, 1, 1]),
        ([i64::MAX, 0, 0], [i64::MAX, 1, 1]),
    ] {
        assert_eq!(
            refused([2, 2, 2], &[part(offset, size, &one)]),
            at("part-outside", "parts/0"),
            "{offset:?} {size:?}"
        );
        assert_eq!(
            refusal(extract([2, 2, 2], &[], offset, size)),
            plain("part-outside"),
            "{offset:?} {size:?}"
        );
    }
    assert_eq!(
        refused([0, 1, 1], &[part([0; 3], [1; 3], &one)]),
        at("part-outside", "parts/0")
    );
}

#[test]
fn bytes_are_counted_exactly() {
    assert_eq!(
        refused([2, 1, 1], &[part([0; 3], [2, 1, 1], &[0; 15])]),
        at("part-size", "parts/0")
    );
    assert_eq!(
        refusal(extract([2, 1, 1], &[0; 24], [0; 3], [1; 3])),
        plain("part-size")
    );
    // 2^62 x 2^62 x 2^62 cells are more than 128 bits can count.
    let huge = [1 << 62; 3];
    assert_eq!(
        refused(huge, &[part([0; 3], huge, &[0; 8])]),
        at("part-size", "parts/0")
    );
    assert_eq!(refusal(extract(huge, &[0; 8], [0; 3], [1; 3])), plain("part-size"));
}

#[test]
fn each_check_passes_over_all_parts_before_the_next() {
    let one = [0; 8];
    let good = part([0; 3], [1; 3], &one);
    let outside = part([9, 0, 0], [1; 3], &one);
    let short = part([1, 0, 0], [1; 3], &[]);
    assert_eq!(
        refused([3, 1, 1], &[good, good, short, outside]),
        at("part-outside", "parts/3")
    );
    assert_eq!(refused([3, 1, 1], &[good, good, short]), at("part-size", "parts/2"));
    assert_eq!(refused([3, 1, 1], &[good, good]), at("parts-overlap", "parts/1"));
    assert_eq!(refused([3, 1, 1], &[good]), plain("parts-gap"));
    assert_eq!(refused([3, 1, 1], &[]), plain("parts-gap"));
}

#[test]
fn overlaps_show_at_the_first_part_that_meets_an_earlier_one() {
    // In every direction, whatever axis is the longest, and whichever part comes first.
    for dimensions in [[4, 3, 2], [3, 4, 2], [2, 3, 4], [1 << 40, 1 << 40, 1 << 40]] {
        let eight = [0; 64];
        let corner = part([0; 3], [2, 2, 2], &eight);
        for offset in [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]] {
            let one = part(offset, [1; 3], &eight[..8]);
            assert_eq!(
                refused(dimensions, &[corner, one]),
                at("parts-overlap", "parts/1"),
                "{dimensions:?} {offset:?}"
            );
            assert_eq!(
                refused(dimensions, &[one, corner]),
                at("parts-overlap", "parts/1"),
                "{dimensions:?} {offset:?}"
            );
        }
    }
    let (two, one) = ([0; 16], [0; 8]);
    let parts = [
        part([2, 0, 0], [1; 3], &one),
        part([0, 0, 0], [1; 3], &one),
        part([0, 1, 0], [2, 1, 1], &two),
        part([1, 0, 0], [2, 1, 1], &two),
        part([0, 0, 0], [1; 3], &one),
    ];
    assert_eq!(refused([3, 2, 1], &parts), at("parts-overlap", "parts/3"));
}

#[test]
fn many_parts_in_a_huge_domain_cost_only_themselves() {
    let cell = [0; 8];
    let parts: Vec<_> = (0..20_000)
        .map(|index| part([index * 7, index, index], [1; 3], &cell))
        .collect();
    assert_eq!(refused([1 << 30; 3], &parts), plain("parts-gap"));
}
