//! Bars of pages: how wide each piece is.

/// What a bar's piece has at least, in hundredths, so that it can be seen.
pub const LEAST: f64 = 0.5;

/// Returns the width of each count's piece in hundredths of the bar, for a few counts. They add up to 100, and a count
/// above 0 has about [`LEAST`] or more; all are 0 where every count is 0.
pub fn widths(counts: &[u64]) -> Vec<f64> {
    let all = counts.iter().sum::<u64>().max(1) as f64;
    let shares = counts.iter().map(|count| 100.0 * *count as f64 / all);
    let widths: Vec<f64> = shares.map(|share| if share == 0.0 { 0.0 } else { share.max(LEAST) }).collect();
    // They may add up to more than 100 now. LEAST keeps the division from 0 by 0 where nothing was counted.
    let sum: f64 = widths.iter().sum::<f64>().max(LEAST);
    widths.into_iter().map(|width| 100.0 * width / sum).collect()
}
