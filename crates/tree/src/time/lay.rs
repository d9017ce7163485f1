//! Samples laid on the contexts of a recording.

use profile::sampling::{Sampling, TIME};
use profile::{Metric, Profile, ThreadTree};
use rustc_hash::FxHashMap;

use super::waiting::is_waiting;
use crate::error::{Error, Result};
use crate::names::generated::as_compared;
use crate::names::method::Method;
use crate::subtree_ends;

/// What an importer calls the number of times that a stack was seen.
const SAMPLES: &str = "samples";
/// What it calls the bytes that a stack allocated: they are no time.
const ALLOCATED: &str = "allocated";

/// Gives a recording the metric [`TIME`]: how often a plain run was seen in each context.
///
/// A stack is followed from its outermost frame through the contexts of the thread with the
/// same name, or, where that does not begin with this frame, of all threads. A frame that is not
/// a context below the one before is passed over, because frames without probes have none; so a
/// sample counts for the innermost context that its stack leads to. Where a stack leads to several contexts, in
/// several threads or at several call sites, they share its samples in proportion to their
/// bytecodes. `about` says what is known of the plain run; the counts of samples in
/// it are replaced.
///
/// # Errors
/// If `samples` has no metric that counts samples, or none of them is in a context.
pub fn lay(profile: &mut Profile, samples: &Profile, about: Sampling) -> Result<()> {
    // Other tools have other names for it.
    let first = || samples.nodes.metrics.first().filter(|metric| metric.name != ALLOCATED);
    let counts = samples.nodes.metric(SAMPLES).or_else(first);
    let counts = counts.ok_or_else(|| {
        Error::new("there are no samples of running threads in it; was the run too short?")
    })?;
    let mut laying = Laying::new(profile, samples);
    let mut sampling = Sampling {
        samples: 0,
        in_natives: 0,
        below_context: 0,
        without_context: 0,
        waiting: 0,
        ..about
    };
    for thread in &samples.threads {
        let roots = [laying.roots(Some(&thread.name)), laying.roots(None)];
        // The contexts of each frame of the stack at hand, by depth, and whether the frame
        // has some of its own.
        let mut path: Vec<Step> = Vec::new();
        for node in thread.nodes.clone() {
            let at = node as usize;
            while path.last().is_some_and(|step| step.node != samples.nodes.parent[at]) {
                path.pop();
            }
            let method = samples.nodes.method[at];
            let above = path.last().and_then(|step| step.contexts.as_deref());
            let found = laying.callees(above, &roots, method);
            let is_known = !found.is_empty();
            let contexts = if is_known { Some(found) } else { above.map(<[u32]>::to_vec) };
            let count = counts.values.get(at).copied().unwrap_or(0);
            if laying.waits[method as usize] {
                sampling.waiting += count;
            } else if count > 0 {
                sampling.samples += count;
                sampling.in_natives += if laying.is_native[method as usize] { count } else { 0 };
                match &contexts {
                    None => sampling.without_context += count,
                    Some(contexts) => {
                        sampling.below_context += if is_known { 0 } else { count };
                        laying.share(count, contexts);
                    }
                }
            }
            path.push(Step { node, contexts });
        }
    }
    let time = laying.time;
    if sampling.samples == sampling.without_context {
        return Err(Error::new(match sampling.samples {
            0 => "there are no samples of running threads in it",
            _ => "no stack in it leads to a context of the profile; is it of another program?",
        }));
    }
    profile.nodes.metrics.retain(|metric| metric.name != TIME);
    profile.nodes.metrics.push(Metric { name: TIME.to_owned(), values: time });
    profile.run.sampling = Some(sampling);
    Ok(())
}

/// A frame of the stack at hand.
struct Step {
    /// Its node in the samples.
    node: u32,
    /// The contexts to which the stack leads up to here; `None` before the first one.
    contexts: Option<Vec<u32>>,
}

/// A recording that is given its samples.
struct Laying<'a> {
    profile: &'a Profile,
    /// Node behind the last one of the subtree of each node.
    ends: Vec<u32>,
    /// Per method of the samples: those of the recording that it may be.
    same: Vec<Vec<u32>>,
    /// Per method of the samples: whether a thread waits in it, and whether it is native.
    waits: Vec<bool>,
    is_native: Vec<bool>,
    time: Vec<u64>,
}

/// Access flag of native methods (JVMS 4.6).
const ACC_NATIVE: u16 = 0x0100;

impl<'a> Laying<'a> {
    fn new(profile: &'a Profile, samples: &Profile) -> Self {
        let methods = methods(profile);
        let mut exact: FxHashMap<&Method, Vec<u32>> = FxHashMap::default();
        let mut by_name: FxHashMap<(&str, &str), Vec<u32>> = FxHashMap::default();
        for (number, method) in (0u32..).zip(&methods) {
            exact.entry(method).or_default().push(number);
            by_name.entry((&method.class, &method.name)).or_default().push(number);
        }
        let sampled = self::methods(samples);
        let same: Vec<Vec<u32>> = sampled
            .iter()
            .map(|method| {
                let known = match method.descriptor.is_empty() {
                    true => by_name.get(&(method.class.as_str(), method.name.as_str())),
                    false => exact.get(method),
                };
                known.cloned().unwrap_or_default()
            })
            .collect();
        let is_native = |numbers: &Vec<u32>| {
            numbers.iter().any(|&number| profile.methods[number as usize].access & ACC_NATIVE != 0)
        };
        Self {
            ends: subtree_ends(&profile.nodes.parent),
            is_native: same.iter().map(is_native).collect(),
            waits: sampled.iter().map(is_waiting).collect(),
            same,
            time: vec![0; profile.nodes.len()],
            profile,
        }
    }

    /// The first contexts of the threads with this name, or of all threads.
    fn roots(&self, thread: Option<&str>) -> Vec<u32> {
        let wanted = |known: &&ThreadTree| thread.is_none_or(|name| known.name == name);
        let threads = self.profile.threads.iter().filter(wanted);
        threads.flat_map(|known| self.siblings(known.nodes.start, known.nodes.end)).collect()
    }

    /// The nodes at the top of the subtrees that fill a range.
    fn siblings(&self, start: u32, end: u32) -> impl Iterator<Item = u32> + '_ {
        let first = Some(start).filter(|&start| start < end);
        std::iter::successors(first, move |&node| {
            Some(self.ends[node as usize]).filter(|&next| next < end)
        })
    }

    /// The contexts of a method of the samples below others, or among the roots: the first list
    /// of these that has some.
    fn callees(&self, above: Option<&[u32]>, roots: &[Vec<u32>; 2], method: u32) -> Vec<u32> {
        let same = &self.same[method as usize];
        if same.is_empty() {
            return Vec::new();
        }
        let is_same = |&node: &u32| same.contains(&self.profile.nodes.method[node as usize]);
        match above {
            None => {
                let among = |roots: &Vec<u32>| roots.iter().copied().filter(is_same).collect();
                let found: Vec<u32> = among(&roots[0]);
                if found.is_empty() { among(&roots[1]) } else { found }
            }
            Some(above) => {
                let below = |&node: &u32| self.siblings(node + 1, self.ends[node as usize]);
                above.iter().flat_map(below).filter(is_same).collect()
            }
        }
    }

    /// Shares samples among contexts in proportion to their bytecodes, or evenly if none has
    /// any. The parts are whole and add up.
    fn share(&mut self, count: u64, contexts: &[u32]) {
        let bytecodes = self.profile.nodes.metric("bytecodes");
        let weight = |context: u32| -> u128 {
            bytecodes.map_or(0, |metric| metric.values[context as usize]).into()
        };
        let sum: u128 = contexts.iter().map(|&context| weight(context)).sum();
        let (mut until, mut given) = (0u128, 0u64);
        for &context in contexts {
            until += if sum == 0 { 1 } else { weight(context) };
            let whole = if sum == 0 { contexts.len() as u128 } else { sum };
            // No more than `count`, which has 64 bits.
            let due = (u128::from(count) * until / whole) as u64;
            self.time[context as usize] += due - given;
            given = due;
        }
    }
}

/// The methods of a profile by the names by which runs are compared.
fn methods(profile: &Profile) -> Vec<Method> {
    let class = |number: u32| {
        let class = profile.classes.get(number as usize);
        class.map_or_else(String::new, |class| as_compared(&class.name).into_owned())
    };
    let method = |method: &profile::MethodInfo| Method {
        class: class(method.class.0),
        name: method.name.clone(),
        descriptor: method.descriptor.clone(),
    };
    profile.methods.iter().map(method).collect()
}
