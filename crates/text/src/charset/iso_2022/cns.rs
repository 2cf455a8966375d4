//! CNS 11643 planes 1 and 2, over the table of Big5.
//!
//! The planes hold the characters of Big5 (its frequent and its less frequent hanzi) in nearly the same order: both
//! are sorted by strokes, and CNS moved the few that Big5 had counted wrong. Two lists of runs say where each lies
//! in Big5. The runs were made by comparing glibc's EUC-TW with Big5; characters that Big5 lacks are listed one by
//! one.

use encoding_rs::BIG5;

use super::super::whatwg::decode_one;

/// Cells of a plane that follow one another in Big5: the first cell (94 a row), its pointer in the index of the
/// Encoding Standard (157 a lead octet), and how many there are.
type Run = (u16, u16, u16);

#[rustfmt::skip]
const PLANE_1: [Run; 43] = [
    (0, 5024, 5), (6, 5030, 15), (21, 5047, 2), (24, 5046, 1), (29, 5053, 44), (73, 5098, 1), (74, 5097, 1),
    (75, 5099, 22), (98, 5122, 1), (100, 5124, 27), (127, 5152, 1), (128, 5151, 1), (129, 5153, 19), (148, 5173, 1),
    (149, 5172, 1), (150, 5174, 4), (155, 5045, 1), (156, 5182, 2), (158, 5182, 76), (282, 5258, 29), (312, 5288, 1),
    (314, 5290, 142), (470, 10896, 30), (571, 10929, 1), (578, 10932, 1), (583, 10933, 1), (3290, 5495, 1412),
    (4702, 6908, 424), (5126, 6907, 1), (5127, 7332, 1876), (7003, 9595, 1), (7004, 9208, 387), (7391, 9596, 525),
    (7916, 10310, 1), (7917, 10121, 105), (8023, 10227, 83), (8106, 10311, 84), (8190, 10541, 1), (8191, 10395, 54),
    (8245, 10450, 1), (8246, 10449, 1), (8247, 10451, 90), (8337, 10542, 354),
];

#[rustfmt::skip]
const PLANE_2: [Run; 49] = [
    (0, 11304, 10), (10, 11315, 33), (43, 11396, 1), (44, 11348, 48), (92, 11397, 46), (138, 11610, 1),
    (139, 11443, 167), (306, 11611, 1840), (2146, 14098, 1), (2147, 13452, 108), (2255, 13561, 537), (2792, 13451, 1),
    (2793, 14099, 100), (2893, 13560, 1), (2894, 14199, 399), (3293, 14599, 1637), (4930, 16785, 1), (4931, 16236, 146),
    (5077, 16923, 1), (5078, 16382, 287), (5365, 17532, 1), (5366, 16669, 116), (5482, 16786, 137), (5619, 16924, 104),
    (5723, 17449, 1), (5724, 17028, 222), (5946, 17251, 198), (6144, 17450, 82), (6226, 17533, 86), (6312, 17250, 1),
    (6313, 17619, 8), (6321, 17628, 153), (6474, 17782, 56), (6530, 18138, 1), (6531, 17838, 113), (6644, 17627, 1),
    (6645, 17951, 142), (6787, 17781, 1), (6788, 18093, 45), (6833, 18139, 71), (6904, 18404, 1), (6905, 18210, 194),
    (7099, 18405, 490), (7589, 18938, 1), (7590, 18895, 43), (7633, 18939, 1), (7634, 18941, 11), (7645, 18940, 1),
    (7646, 18952, 4),
];

/// Returns the character of two octets of 21..=7E in plane 1.
pub fn plane_1(row: u8, cell: u8) -> Option<char> {
    match (row.saturating_sub(0x20), cell.saturating_sub(0x20)) {
        (1, 6) => Some('\u{30FB}'),
        (1, 24) => Some('\u{FE32}'),
        (2, 61) => Some('\u{2016}'),
        // The pictures of the control codes.
        (34, 33) => Some('\u{2421}'),
        (34, cell @ 1..=32) => char::from_u32(0x2400 + u32::from(cell) - 1),
        (86, 33) => Some('\u{5F5E}'),
        _ => find(&PLANE_1, row, cell),
    }
}

/// Returns the character of two octets of 21..=7E in plane 2.
pub fn plane_2(row: u8, cell: u8) -> Option<char> {
    find(&PLANE_2, row, cell)
}

/// Returns the character of two octets by the runs of a plane, which must be sorted by their first cells; `None` where
/// no run has the cell.
fn find(runs: &[Run], row: u8, cell: u8) -> Option<char> {
    let index = u16::from(row.checked_sub(0x21)?) * 94 + u16::from(cell.checked_sub(0x21)?);
    let found = runs.partition_point(|(first, _, _)| *first <= index).checked_sub(1)?;
    let (first, pointer, len) = runs.get(found)?;
    let into = index.checked_sub(*first).filter(|into| into < len)?;
    let (lead, trail) = ((pointer + into) / 157, (pointer + into) % 157);
    let trail = if trail < 0x3F { trail + 0x40 } else { trail + 0x62 };
    decode_one(BIG5, &[u8::try_from(lead + 0x81).ok()?, u8::try_from(trail).ok()?])
}
