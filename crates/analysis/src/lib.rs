//! What profiles say.
//!
//! A [`tree::Tree`] is made from one or several [`profile::Profile`]s: call
//! sites and threads are merged path by path under a virtual root. Every
//! analysis is a pass or two through its columns. Those of the flow of data, loops,
//! repeats and histories of objects are in [`dataflow`]; they read the profile's own
//! sections.
//!
//! ```
//! use formats::import::folded::Importer;
//! use tree::forest::Selection;
//! use tree::names::pattern::Pattern;
//! use subsume_analysis::subsuming::{Subsuming, Thresholds};
//! use tree::Tree;
//! use std::path::Path;
//!
//! let stacks = "main 1\nmain;parse;read 2\nmain;check;parse;read 4\n";
//! let mut importer = Importer::default();
//! importer.read(Path::new("example"), &mut stacks.as_bytes())?;
//! let profiles = vec![("example".to_owned(), importer.finish())];
//! let tree = Tree::merge(profiles, &Selection::default())?;
//!
//! // parse is two levels below main, the only method that always calls it.
//! let analysis = Subsuming::analyse(&tree, Thresholds { height: 0, distance: 1 }, &Pattern::new(""));
//! let parse = tree.methods.iter().position(|m| m.name == "parse").ok_or("no such method")?;
//! assert!(analysis.subsumes[parse]);
//! assert_eq!(analysis.induced[parse], 6);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(clippy::missing_errors_doc)]

pub mod dataflow;
pub mod diagnosis;
pub mod diff;
pub mod known_lines;
pub mod search;
pub mod source;
pub mod subsuming;
pub mod summary;
