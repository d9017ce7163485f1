//! Both forms of a profile, written and read again.

mod compact;
mod damage;
mod dataflow;
mod live;
mod live_builder;
mod random_profile;
mod rules;
mod sections;
