//! The definitions of [growth](super::growth) taken literally: each loop instance has the
//! set of places that it has touched.

use std::collections::HashSet;

use profile::dataflow::GrowthPoint;
use rustc_hash::FxHashMap;

use super::events::Place;

/// What a thread does.
#[derive(Debug, Clone, Copy)]
pub enum Step {
    /// An instance of the loop of this number begins.
    Begin(u32),
    /// The innermost instance ends.
    End,
    /// Another iteration begins.
    Iterate,
    /// Reads this number of places, from this one on.
    Read(Place, u64),
    /// Writes this number of places, from this one on.
    Write(Place, u64),
}

#[derive(Debug)]
struct Instance {
    number: u32,
    touched: HashSet<Place>,
    input: HashSet<Place>,
    cost: u64,
}

/// Keeps all places of all open instances.
#[derive(Debug, Default)]
pub struct LiteralGrowth {
    open: Vec<Instance>,
    /// By the number of the loop and the bucket of the size.
    pub points: FxHashMap<(u32, u32), GrowthPoint>,
}

impl LiteralGrowth {
    pub fn take(&mut self, step: &Step) {
        match *step {
            Step::Begin(number) => {
                let (touched, input) = Default::default();
                self.open.push(Instance { number, touched, input, cost: 0 });
            }
            Step::End => {
                let Some(ended) = self.open.pop() else { return };
                let size = ended.input.len() as u64;
                let point = GrowthPoint::of(size, ended.cost);
                let key = (ended.number, GrowthPoint::bucket(size));
                self.points.entry(key).and_modify(|known| known.add(&point)).or_insert(point);
            }
            Step::Iterate => {}
            Step::Read(first, length) => {
                for instance in &mut self.open {
                    instance.cost += length;
                    let new =
                        (first..first + length).filter(|&place| instance.touched.insert(place));
                    instance.input.extend(new);
                }
            }
            Step::Write(first, length) => {
                for instance in &mut self.open {
                    instance.touched.extend(first..first + length);
                }
            }
        }
    }
}

/// Makes `steps` random steps among `places` places, in loops that all end.
pub fn random_steps(seed: u64, places: u64, steps: usize) -> Vec<Step> {
    let mut state = seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let mut random = move |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (state >> 33) % below
    };
    let mut made = Vec::new();
    let mut depth = 0;
    for _ in 0..steps {
        let place = 1 << 32 | random(places);
        made.push(match random(20) {
            0 if depth < 8 => {
                depth += 1;
                Step::Begin(random(4) as u32)
            }
            1 if depth > 0 => {
                depth -= 1;
                Step::End
            }
            2..=4 => Step::Iterate,
            5 => Step::Read(place, random(30)),
            6 => Step::Write(place, random(10)),
            7..=9 => Step::Write(place, 1),
            _ => Step::Read(place, 1),
        });
    }
    made.extend((0..depth).map(|_| Step::End));
    made
}
