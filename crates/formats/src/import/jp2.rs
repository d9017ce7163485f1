//! JP2's text: a line for each context, its callees in braces.
//!
//! ```text
//! {
//!     Main.main([Ljava/lang/String;)V = 1,  @0 [1x5, 10x3] {
//!         Main.work()V = 10,  @4 [10x7]
//!     }
//! }
//! ```
//!
//! After the method: its calls, the bytecode index of the call, and for each
//! basic block how often it was executed and how many bytecodes it has.

use std::path::Path;

use profile::Profile;

use crate::import::allowance::Allowance;
use crate::import::builder::{Builder, Paths};
use crate::import::input::{open_counted, read_line};
use tree::error::{Error, Result};

/// Reads files, each into a thread of its own.
///
/// # Errors
/// With the number of the first line that is wrong.
pub fn read(files: &[impl AsRef<Path>]) -> Result<Profile> {
    let mut builder = Builder::new(&["calls".to_owned(), "bytecodes".to_owned()]);
    let allowance = Allowance::default();
    for path in files {
        let path = path.as_ref();
        let mut input = open_counted(path, &allowance)?;
        let mut paths = Paths::new(2, &allowance);
        let mut open: Vec<u32> = Vec::new();
        let mut bytes = Vec::new();
        for number in 1u64.. {
            if !read_line(&mut input, &mut bytes).map_err(|e| Error::io(path, &e))? {
                break;
            }
            let wrong =
                |what: &str| Error::new(format!("{}: line {number}: {what}", path.display()));
            let line = std::str::from_utf8(&bytes).map_err(|_| wrong("not UTF-8 text"))?.trim();
            match line {
                "" => {}
                "{" => open.push(Paths::ROOT),
                "}" => {
                    open.pop().ok_or_else(|| wrong("a brace that closes nothing"))?;
                }
                _ => {
                    let caller =
                        *open.last().ok_or_else(|| wrong("a context outside of braces"))?;
                    let context = parse(line).ok_or_else(|| wrong("no context of JP2"))?;
                    let at = paths.child(caller, builder.frame(context.method));
                    let at = at.map_err(|error| error.of_file(path))?;
                    paths.add(at, 0, context.calls)?;
                    paths.add(at, 1, context.bytecodes)?;
                    if context.opens {
                        open.push(at);
                    }
                }
            }
        }
        if !open.is_empty() {
            return Err(Error::new(format!("{}: it is cut short", path.display())));
        }
        if paths.is_empty() {
            return Err(Error::new(format!("{}: no context of JP2 in it", path.display())));
        }
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        builder.thread(name, &paths)?;
    }
    Ok(builder.finish("JP2"))
}

/// A line.
#[derive(Debug, PartialEq, Eq)]
struct Context<'l> {
    method: &'l str,
    calls: u64,
    bytecodes: u64,
    /// Its callees follow.
    opens: bool,
}

fn parse(line: &str) -> Option<Context<'_>> {
    let (line, opens) = match line.strip_suffix('{') {
        Some(line) => (line.trim_end(), true),
        None => (line, false),
    };
    let (method, counts) = line.split_once(" = ")?;
    let method = method.trim().trim_start_matches("[NATIVE]").trim_end_matches("[NATIVE]").trim();
    let calls = counts.split(',').next()?.trim().parse().ok()?;
    let mut bytecodes = 0u64;
    // The first brackets behind the call site hold the basic blocks.
    let (_, behind) = counts.split_once('@')?;
    if let Some((_, blocks)) = behind.split_once('[') {
        let (blocks, _) = blocks.split_once(']')?;
        for block in blocks.split(',').map(str::trim).filter(|block| !block.is_empty()) {
            let (count, size) = block.split_once('x')?;
            let executed =
                count.trim().parse::<u64>().ok()?.checked_mul(size.trim().parse().ok()?)?;
            bytecodes = bytecodes.checked_add(executed)?;
        }
    }
    (!method.is_empty()).then_some(Context { method, calls, bytecodes, opens })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_two_versions() {
        let line = "a/B.c(I)V = 3,  @12 [3x5, 1x2] {";
        let expected = Context { method: "a/B.c(I)V", calls: 3, bytecodes: 17, opens: true };
        assert_eq!(parse(line), Some(expected));
        let line = "a/B.d()V[NATIVE] = 2, 9 @0 MYBYTECODEEXECUTED 9 [2x4]SIZES [4]";
        let expected = Context { method: "a/B.d()V", calls: 2, bytecodes: 8, opens: false };
        assert_eq!(parse(line), Some(expected));
        for line in ["a = b", "a = 1, @0 [1y2]", "a", "= 1, @0 []", "a = 1, @0 [1x2"] {
            assert_eq!(parse(line), None, "{line}");
        }
    }
}
