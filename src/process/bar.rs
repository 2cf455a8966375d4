//! Bars of pages: how wide each piece is.

/// What a bar's piece has at least, in hundredths, so that it can be seen.
pub const LEAST: f64 = 0.5;

/// Returns widths that add up to 100, where what is there at all can be seen; all are 0 where every count is.
pub fn widths(counts: &[u64]) -> Vec<f64> {
    let all = counts.iter().sum::<u64>().max(1) as f64;
    let least = |count: &u64| if *count == 0 { 0.0 } else { (100.0 * *count as f64 / all).max(LEAST) };
    let widths: Vec<f64> = counts.iter().map(least).collect();
    let sum: f64 = widths.iter().sum::<f64>().max(LEAST);
    widths.into_iter().map(|width| 100.0 * width / sum).collect()
}
