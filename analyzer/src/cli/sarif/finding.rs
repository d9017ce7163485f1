//! What a command says of each thing that it found.

use analysis::dataflow::name::Naming;
use profile::dataflow::Place;
use serde::Serialize;
use serde_json::{Map, Value};
use tree::names::method::Method;

use super::rules::Rule;

/// What is less than this part of all that was counted is small.
const SMALL: f64 = 0.005;

/// How important a finding is. What comes first is more so.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// It breaks a limit that the user has set, so that the exit code is 1.
    Error,
    /// A change can save something, or mends a defect.
    Warning,
    /// It is small, or may have to be as it is.
    Note,
}

impl Level {
    /// Of what is this part of all that was counted.
    pub fn of_share(share: f64) -> Self {
        if share < SMALL { Self::Note } else { Self::Warning }
    }
}

/// A method, and the line in it.
#[derive(Debug, Clone)]
pub struct Step<'a> {
    /// The method.
    pub method: &'a Method,
    /// The line; 0 if it is not known.
    pub line: u16,
    /// What is to be said behind its name, possibly nothing.
    pub text: String,
}

impl<'a> Step<'a> {
    /// A line of a method; 0 if the line is not known.
    pub fn new(method: &'a Method, line: u16) -> Self {
        Self { method, line, text: String::new() }
    }

    /// A place in the code; `None` for what happens in the JVM.
    pub fn at(naming: &Naming<'a>, place: Place) -> Option<Self> {
        Some(Self::new(naming.method(place)?, place.line))
    }
}

/// What is wasted or wrong in one place.
#[derive(Debug)]
pub struct Finding<'a> {
    /// What it is.
    pub rule: Rule,
    /// How important it is.
    pub level: Level,
    /// Its part of all that was counted, from 0 to 1; `None` if it has none.
    pub share: Option<f64>,
    /// What happens there, with figures, in sentences.
    pub message: String,
    /// The place to look at.
    pub place: Step<'a>,
    /// Ways that lead there, the outermost call first.
    pub ways: Vec<Vec<Step<'a>>>,
    /// What tells it from others of its rule in the method, without the numbers of lines.
    pub detail: String,
    /// The figures of the JSON answer.
    pub figures: Map<String, Value>,
}

/// The figures in an entry of a JSON answer: what is neither a list nor unknown.
pub fn figures(entry: &impl Serialize) -> Map<String, Value> {
    let Ok(Value::Object(mut fields)) = serde_json::to_value(entry) else { return Map::new() };
    fields.retain(|_, value| !value.is_array() && !value.is_null());
    fields
}
