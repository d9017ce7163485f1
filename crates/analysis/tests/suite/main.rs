//! Analyses, against literal algorithms and the papers' examples.

// What several of them use.
mod common;
mod literal;
mod literal_search;

mod dataflow;
mod diagnosis;
mod diff;
mod estimated_time;
mod growing_copies;
mod maplesden_2015;
mod places;
mod random_trees;
mod real_profiles;
mod report_laws;
mod sampled_time;
mod search;
mod ways;
