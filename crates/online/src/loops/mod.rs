//! Similar memory accesses in loops, judged while the program runs (Toddler, section III).
//!
//! A thread of the program writes [`events`]: iterations of loops, what is read with its
//! place, and what is written. A [`judge`] for each thread keeps the stack of its loops
//! ([`levels`]), when places were written last ([`writes`]), and for each IPCS, the
//! paper's word for an instruction in its calling context, the [`sequences`] of values
//! read in the iterations. [`similarity`] compares two of them. What is similar
//! throughout a loop becomes a finding ([`findings`]), of the thread and of the [`sections`]
//! that somebody wants judged by themselves. Each loop has a [`budget`] of accesses for
//! which it is judged.
//!
//! If the user wants to know how the cost of loops grows with their input, [`growth`]
//! takes the same events, and so does [`effects`], which counts iterations without effect.
//!
//! The definitions, where the paper leaves a choice:
//!
//! - An *iteration* is one execution of the loop's header; a *loop instance* lasts from
//!   its first iteration until it is left by whatever way.
//! - A value does not count for an iteration in which its place was written before it
//!   was read: these are the loop's own data.
//! - A sequence of one repeated value does not count at all.
//! - An IPCS is similar in an instance of at least 10 iterations if it has sequences in
//!   at least 45 % of them, and at least 70 % of the pairs of consecutive sequences are
//!   similar.
//! - It is similar, too, if the pairs are those of sequences with the 7 values that it takes,
//!   read in the same places. Shorter ones, of searches that end early, are passed over; at
//!   least 70 % of the sequences that are asked for must be longer, and 70 % of all values
//!   in them.
//! - What an IPCS reads again in the same places counts as repeated unless the loop around
//!   it, the next below the one that is judged, is [`given`] something new as a rule, and
//!   no loop between them searches.

pub mod budget;
pub mod effects;
pub mod events;
pub mod findings;
mod given;
pub mod growth;
pub mod judge;
mod levels;
#[cfg(test)]
mod literal;
#[cfg(test)]
mod literal_comparison;
#[cfg(test)]
mod literal_growth;
pub mod memory;
pub mod program;
pub mod sections;
mod sequences;
pub mod similarity;
#[cfg(test)]
mod small_loops;
mod sums;
mod times;
#[cfg(test)]
mod untold;
mod values;
mod writes;
