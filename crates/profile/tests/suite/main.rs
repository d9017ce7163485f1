//! Both forms of a profile, written and read again.

mod compact;
mod damage;
mod dataflow;
mod live;
mod rules;
