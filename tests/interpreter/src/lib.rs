//! The rules of data flow, interpreted literally.
//!
//! [`Machine`] is a small JVM without any cleverness: it runs a program one
//! instruction at a time, keeps a shadow for every local variable, every place
//! on the operand stack and every heap location, and applies the inference
//! rules of "Scalable Runtime Bloat Detection Using Abstract Dynamic Slicing"
//! as they are printed: [`Copies`] those of Figure 9, [`Costs`] those of
//! Figure 12. [`Nulls`] has the domain of its section 2.1. What comes out has the form of a recording, [`profile::dataflow`],
//! and is the witness for what the agent records.

mod class_path;
mod machine;
mod named;
mod rules;

pub use class_path::ClassPath;
pub use machine::{Following, Interpreted, Machine, Recorded, Stop, Unfollowed};
pub use named::{NamedGraph, Names};
pub use rules::{
    Context, Copies, Costs, Hashed, Here, Nulls, Numbering, Registry, Rules, Selective, SiteName,
    Stored, site_hash,
};
