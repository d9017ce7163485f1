//! Estimates of sums over ancestors, where exact ones would take too long.
//!
//! Cohen's estimator ("Size-estimation framework with applications to
//! transitive closure and reachability"): each component draws an exponential
//! random number whose rate is its weight; the least number among the ancestors
//! of a component tells the sum of their weights, and the mean of many such
//! draws tells it closely. One draw is one pass over the graph.

use crate::dataflow::costs::components::Components;

/// Draws for an estimate.
const DRAWS: u32 = 512;
/// Draws made in one pass over the graph.
const LANES: usize = 16;

/// The standard error of an estimate, as a share of it.
pub fn standard_error() -> f64 {
    1.0 / f64::from(DRAWS - 2).sqrt()
}

/// Estimates the weight of each component and all that it depends on.
pub fn estimates(components: &Components) -> Vec<f64> {
    let mut sums = vec![0f64; components.len()];
    let mut least = vec![[f32::INFINITY; LANES]; components.len()];
    for pass in 0..DRAWS / LANES as u32 {
        for component in 0..components.len() as u32 {
            let mut lanes = draws(component, pass, components.weight[component as usize]);
            for &source in components.sources.of(component) {
                for (lane, other) in lanes.iter_mut().zip(&least[source as usize]) {
                    *lane = lane.min(*other);
                }
            }
            sums[component as usize] += lanes.iter().map(|&lane| f64::from(lane)).sum::<f64>();
            least[component as usize] = lanes;
        }
    }
    sums.iter().map(|sum| f64::from(DRAWS - 1) / sum).collect()
}

fn draws(component: u32, pass: u32, weight: u64) -> [f32; LANES] {
    let mut state = u64::from(component) << 32 | u64::from(pass);
    std::array::from_fn(|_| {
        // splitmix64: the same numbers in every run.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^= bits >> 31;
        let uniform = ((bits >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
        if weight == 0 { f32::INFINITY } else { (-uniform.ln() / weight as f64) as f32 }
    })
}
