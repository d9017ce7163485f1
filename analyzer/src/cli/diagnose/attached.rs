//! A JVM that runs already: it is sampled, and then its calls are recorded. What follows data
//! takes the agent from the start.

use std::io::Write;

use analysis::diagnosis::evidence::Recording;
use base::tell;
use tree::error::{Error, Result};

use super::args::Args;
use super::folder::{Folder, Notes};
use crate::cli::control::attach::{self, AttachArgs};

/// Samples a process, and records it into the folder.
///
/// # Errors
/// If the process is not a JVM, or its JVM refuses the agent.
pub fn record(process: u32, args: &Args, folder: &Folder) -> Result<()> {
    let Some(limit) = args.limit else {
        return Err(Error::new("--attach needs --for, such as --for 30s"));
    };
    let mut options = "lines=on".to_owned();
    if let Some(more) = &args.agent_options {
        options.push_str(&format!(",{more}"));
    }
    tell!(
        "process {process} is sampled for {0} s and recorded for {0} s; meanwhile it answers less \
         than half as much. Calls alone can be recorded of a JVM that runs: for all findings, \
         start it as 'subsume diagnose --for {0}s -- COMMAND'",
        limit.as_secs()
    );
    let file = folder.file(Recording::Calls);
    let attach = AttachArgs::sampled(process, file, limit, options, args.agent.clone())?;
    // Standard output is the answer's.
    let mut said = Vec::new();
    attach::record(&attach, &mut said)?;
    std::io::stderr().write_all(&said)?;
    folder.note(&Notes {
        attached: Some(process),
        for_seconds: Some(limit.as_secs()),
        agent_options: args.agent_options.clone().unwrap_or_default(),
        ..Notes::default()
    })
}
