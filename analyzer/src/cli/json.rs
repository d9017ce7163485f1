//! What the JSON of several commands has in common.

use std::cell::Cell;
use std::io::Write;

use serde::Serialize;
use serde_json::Value;
use tree::Tree;
use tree::error::{Error, Result};
use tree::names::method::Method;

use super::terminal;

/// A method by its name.
#[derive(Debug, Serialize)]
pub struct Name<'a> {
    /// Binary name of the class.
    pub class: &'a str,
    /// Name of the method.
    pub name: &'a str,
    /// Its descriptor.
    pub descriptor: &'a str,
}

impl<'a> Name<'a> {
    /// The name of a method.
    pub fn new(method: &'a Method) -> Self {
        Self { class: &method.class, name: &method.name, descriptor: &method.descriptor }
    }

    /// The name of a method of the tree, or that of the virtual root for `None`.
    pub fn of(tree: &'a Tree, method: Option<u32>) -> Self {
        match method {
            Some(method) => Self::new(&tree.methods[method as usize]),
            None => Self { class: "", name: tree::names::method::VIRTUAL_ROOT, descriptor: "" },
        }
    }
}

/// A call site in the calling method.
#[derive(Debug, Serialize)]
pub struct Site {
    /// Bytecode index of the call.
    bci: u16,
    /// Source line, 0 if unknown.
    line: u16,
}

impl Site {
    /// The site with that number in `caller`, as in [`Tree::site`].
    pub fn of(tree: &Tree, caller: Option<u32>, number: u32) -> Option<Self> {
        let site = call_site(tree, caller, number)?;
        Some(Self { bci: site.bci, line: site.line })
    }
}

/// The call site with that number in `caller`, as in [`Tree::site`].
pub fn call_site(tree: &Tree, caller: Option<u32>, number: u32) -> Option<profile::CallSite> {
    let sites = tree.call_sites.get(caller? as usize)?;
    sites.get((number as usize).checked_sub(1)?).copied()
}

/// A share between 0 and 1; 0 of nothing.
pub fn share(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// A difference; one that leaves 64 bits as the nearest number.
pub fn difference(value: i128) -> Value {
    match (u64::try_from(value), i64::try_from(value)) {
        (Ok(value), _) => value.into(),
        (_, Ok(value)) => value.into(),
        _ => (value as f64).into(),
    }
}

/// Version of all answers in JSON, their field `version`. It grows whenever a
/// field is taken away or means something else; new fields leave it as it is.
pub const VERSION: u32 = 1;

/// An answer with the version in front of its fields.
#[derive(Debug, Serialize)]
struct Versioned<'a, T: Serialize> {
    version: u32,
    #[serde(flatten)]
    answer: &'a T,
}

thread_local! {
    /// The answer in JSON that [`with_json`] waits for.
    static BESIDE: Cell<Beside> = const { Cell::new(Beside::Unwanted) };
}

/// An answer in JSON beside one that people read.
#[derive(Debug, Default)]
enum Beside {
    /// Nobody wants it.
    #[default]
    Unwanted,
    /// It is still to be written.
    Wanted,
    /// It is being written.
    Begun,
    /// It is this.
    Written(Vec<u8>),
}

/// Runs a command in this thread that answers people, and gives what it prints with `--json`,
/// of one and the same answer.
///
/// # Errors
/// If the command fails, or has no answer in JSON.
pub fn with_json(run: impl FnOnce() -> Result<()>) -> Result<Value> {
    BESIDE.set(Beside::Wanted);
    let done = run();
    let beside = BESIDE.take();
    done?;
    match beside {
        Beside::Written(text) => serde_json::from_slice(&text)
            .map_err(|error| Error::new(format!("the answer is not JSON: {error}"))),
        _ => Err(Error::new("the command has no answer in JSON")),
    }
}

/// Writes an answer in JSON if `is_asked`, for a program: true, and that is all. If not, people
/// are answered, and [`with_json`] may want it beside that.
///
/// # Errors
/// If it cannot be written.
pub fn answered(
    is_asked: bool,
    mut out: &mut (impl Write + ?Sized),
    write: impl FnOnce(&mut dyn Write) -> Result<()>,
) -> Result<bool> {
    if is_asked {
        write(&mut out)?;
    } else {
        beside(|text| write(text))?;
    }
    Ok(is_asked)
}

/// Has an answer written in JSON beside the one that people read, where [`with_json`] wants it.
///
/// # Errors
/// If it cannot be written.
pub fn beside(write: impl FnOnce(&mut Vec<u8>) -> Result<()>) -> Result<()> {
    match BESIDE.replace(Beside::Begun) {
        Beside::Wanted => {
            let mut text = Vec::new();
            write(&mut text)?;
            BESIDE.set(Beside::Written(text));
        }
        other => BESIDE.set(other),
    }
    Ok(())
}

/// Whether what is written is beside another answer.
fn is_beside() -> bool {
    let beside = BESIDE.take();
    let is_begun = matches!(beside, Beside::Begun);
    BESIDE.set(beside);
    is_begun
}

/// Writes an answer, which has fields, on a line of its own.
///
/// # Errors
/// If `out` fails, the answer has no fields, or Markdown is wanted as well.
pub fn print(answer: &impl Serialize, out: &mut (impl Write + ?Sized)) -> Result<()> {
    if terminal::is_markdown() && !is_beside() {
        return Err(Error::new("--json and --markdown exclude each other"));
    }
    write(&Versioned { version: VERSION, answer }, out)?;
    writeln!(out)?;
    Ok(())
}

/// What is said where the profile does not have what is asked for.
#[derive(Debug, Serialize)]
struct Absent {
    absent: String,
}

/// Writes, in place of an answer, that the profile does not have what is asked for.
///
/// # Errors
/// If `out` fails.
pub fn print_absent(error: &Error, out: &mut impl Write) -> Result<()> {
    print(&Absent { absent: error.to_string() }, out)
}

/// Writes a value.
///
/// # Errors
/// If `out` fails.
pub fn write(value: &impl Serialize, out: &mut (impl Write + ?Sized)) -> Result<()> {
    serde_json::to_writer(out, value).map_err(|e| match e.io_error_kind() {
        Some(kind) => Error::from(std::io::Error::from(kind)),
        None => Error::new(format!("cannot write JSON: {e}")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Answer {
        methods: u32,
    }

    #[test]
    fn an_answer_is_written_beside_another_where_it_is_wanted() {
        let answer = |is_asked| {
            let mut out = Vec::new();
            let is_all = answered(is_asked, &mut out, |out| print(&Answer { methods: 7 }, out));
            (is_all.expect("it can be written"), out)
        };
        assert_eq!(answer(false), (false, Vec::new()), "nobody wants it");
        assert_eq!(
            answer(true),
            (true, format!("{{\"version\":{VERSION},\"methods\":7}}\n").into())
        );
        let told = with_json(|| match answer(false) {
            (false, printed) if printed.is_empty() => Ok(()),
            (_, printed) => Err(Error::new(format!("{printed:?} is printed"))),
        });
        let told = told.expect("it is JSON");
        assert_eq!(told, serde_json::json!({ "version": VERSION, "methods": 7 }));
        let none = with_json(|| Ok(())).expect_err("nothing was written");
        assert!(none.to_string().contains("no answer in JSON"), "{none}");
        let failed = with_json(|| Err(Error::new("no such file"))).expect_err("it failed");
        assert_eq!(failed.to_string(), "no such file");
    }
}
