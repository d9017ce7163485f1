//! What is said of loops that read similar values: by the command, and by the agent where
//! tests ask it, so that both say the same.
//!
//! [`clusters`] puts together what was found of one static loop, [`explanation`] says in
//! words what is read again and how such a thing is repaired, a [`known`] line names a
//! loop and a way in which it reads, and [`told`] is the text that tests get.

pub mod clusters;
pub mod explanation;
pub mod known;
pub mod told;

use crate::QualifiedName;
use crate::dataflow::Place;

/// The names of methods, by places in them.
pub type Names<'n> = &'n dyn Fn(&Place) -> Option<QualifiedName<'n>>;
