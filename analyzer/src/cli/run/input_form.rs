//! Forms of standard input.

use serde::{Deserialize, Serialize};

/// How a program's standard input is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// A file.
    File,
    /// A pipe.
    Pipe,
}
