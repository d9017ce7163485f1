//! `subsume diagnose`: what a program wastes, where, and what a change would save.

mod against;
mod answer;
mod args;
mod attached;
mod benchmark;
pub mod folder;
mod json;
mod known;
mod named;
mod page;
mod printed;
mod recording;
mod sarif;
mod text;

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use analysis::diagnosis::diagnose;
use analysis::diagnosis::evidence::Recording;
use analysis::diagnosis::merge::Finding;
use analysis::diagnosis::program::Program;
use base::number::counted;
use base::shown;
use tree::error::{Error, Result};
use tree::owners::OwnCode;

use against::{Against, changes};
use answer::{Answer, is_small};
pub use args::Args;
use benchmark::Benchmark;
use folder::{Folder, Notes, Recorded};
use known::Baseline;
use recording::Runs;

use super::diff;
use super::output_file::{Content, check, write_file};
use super::run::input::Input;
use super::run::{agent, default_path};

/// Exit code where something saves more than the user allows, or is in no baseline.
const TOO_MUCH: u8 = 1;

/// A folder, read and diagnosed.
struct Diagnosed {
    folder: Folder,
    notes: Notes,
    recorded: Recorded,
}

impl Diagnosed {
    fn new(folder: Folder, own: &OwnCode) -> Result<Self> {
        let (notes, recorded) = (folder.notes()?, folder.read(own)?);
        Ok(Self { folder, notes, recorded })
    }
}

/// Runs the command.
///
/// # Errors
/// If nothing can be recorded, a recording cannot be read, or `out` fails.
pub fn run(args: &Args, out: &mut impl Write) -> Result<ExitCode> {
    if args.fail_above.is_some_and(|percent| !(0.0..=100.0).contains(&percent)) {
        return Err(Error::new("--fail-above takes a number from 0 to 100"));
    }
    let is_run = args.attach.is_none() && (args.folder.is_none() || args.goes_on);
    if args.ending.exit_code.is_some() && !is_run {
        return Err(Error::new(
            "--exit-code is for a program that this command runs: behind '--', or with --continue",
        ));
    }
    let own = args.own.code()?;
    // What is wrong with these is said before the program is run.
    let old = args.against.as_ref().map(|path| Diagnosed::new(Folder::new(path), &own));
    let old = old.transpose()?;
    let baseline = args.baseline.as_deref().filter(|_| !args.write_baseline).map(known);
    let baseline = baseline.transpose()?;
    if let Some(path) = args.baseline.as_ref().filter(|_| args.write_baseline) {
        check(path, Content::Other, &[])?;
    }
    let new = Diagnosed::new(recorded(args, old.as_ref())?, &own)?;
    let program = new.recorded.program();
    let found = diagnose(&program, &new.recorded.recordings)?;
    if let Some(path) = args.baseline.as_ref().filter(|_| args.write_baseline) {
        write_known(path, &program, &found, out)?;
        return Ok(ExitCode::SUCCESS);
    }
    let old_program = old.as_ref().map(|old| old.recorded.program());
    let mut against = None;
    if let (Some(old), Some(old_program)) = (&old, &old_program) {
        let before = diagnose(old_program, &old.recorded.recordings)?;
        let calls = [old, &new].map(|one| one.folder.file(Recording::Calls));
        against = Some(Against {
            folder: &old.folder,
            notes: &old.notes,
            program: old_program,
            start: &old.recorded.start,
            changes: changes(
                (old_program, &before, &old.recorded.modes()),
                (&program, &found, &new.recorded.modes()),
            ),
            estimated: match calls.iter().all(|file| file.is_file()) {
                true => diff::time::of_files(&calls[0], &calls[1])?,
                false => None,
            },
        });
    }
    let answer = Answer::new(&new, &program, &found, baseline.as_ref(), against, args);
    if args.output.sarif {
        sarif::print(&answer, &new.recorded, args, out)?
    } else if !crate::cli::json::answered(args.output.table.json, out, |out| {
        json::print(&answer, out)
    })? {
        text::print(&answer, out)?
    }
    let is_new = |one: &&Finding| baseline.as_ref().is_none_or(|known| !known.has(&program, one));
    let mut counts = found.iter().filter(is_new);
    let fails = counts.any(|one| answer::fails(&program, args, answer.against.as_ref(), one));
    Ok(if fails { ExitCode::from(TOO_MUCH) } else { ExitCode::SUCCESS })
}

/// The findings that a file lists.
fn known(path: &Path) -> Result<Baseline> {
    let text = std::fs::read_to_string(path).map_err(|e| Error::io(path, &e))?;
    Baseline::parse(&shown(path), &text)
}

/// Writes a file of known findings. What is likely to save little is not reported anyway.
fn write_known(
    path: &Path,
    program: &Program<'_>,
    found: &[Finding],
    out: &mut impl Write,
) -> Result<()> {
    let told: Vec<&Finding> = found.iter().filter(|one| !is_small(program, one)).collect();
    let baseline = Baseline::of(program, &told);
    write_file(path, |file| {
        file.write_all(baseline.text().as_bytes()).map_err(|e| Error::io(path, &e))
    })?;
    let [lines, findings] = [baseline.len(), told.len()].map(|number| number as u64);
    let (lines, findings) = (counted(lines, "line"), counted(findings, "finding"));
    writeln!(out, "{}: {lines} for {findings}", shown(path))?;
    Ok(())
}

/// The folder to answer of, with the recordings that were asked for. `earlier` are the notes of
/// the diagnosis that it is held against.
fn recorded(args: &Args, earlier: Option<&Diagnosed>) -> Result<Folder> {
    if let Some(path) = &args.folder {
        let folder = Folder::new(path);
        if !args.goes_on {
            return Ok(folder);
        }
        let mut notes = folder.notes()?;
        if notes.command.is_empty() {
            return Err(Error::new(format!(
                "{}: it is not known how the program was run; make another folder with 'subsume \
                 diagnose -o DIR -- COMMAND'",
                shown(path)
            )));
        }
        notes.exit_code = args.ending.exit_code.unwrap_or(notes.exit_code);
        let input = kept_input(&folder, &notes)?;
        Runs { input, ..Runs::new(args, &notes)? }.record(&folder, &mut notes)?;
        return Ok(folder);
    }
    if let Some(process) = args.attach {
        let folder = made(args, &[process.to_string().into()])?;
        attached::record(process, args, &folder)?;
        return Ok(folder);
    }
    // Held against another diagnosis, its program is run again, as it was unless the user says
    // otherwise.
    let is_named = args.test.is_some() || !args.command.is_empty();
    let old = earlier.filter(|_| !is_named);
    let again = old.map(|old| old.notes.clone()).unwrap_or_default();
    let here = std::env::current_dir().unwrap_or_default();
    let mut command: Vec<OsString> = match &args.test {
        Some(test) => named::of_test(test, &here)?,
        None if is_named => args.command.clone(),
        None => again.command.iter().map(OsString::from).collect(),
    };
    if command.is_empty() {
        return Err(Error::new(
            "name a folder of recordings, or a command behind '--': subsume diagnose -- java -jar \
             app.jar",
        ));
    }
    let folder = match args.test.as_ref().or(args.benchmark.as_ref()) {
        Some(name) => made(args, &[name.into()])?,
        None => made(args, &command)?,
    };
    if let Some(benchmark) = &args.benchmark {
        let earlier = earlier.map(|earlier| &earlier.notes.command[..]).unwrap_or_default();
        let agent = agent::find(args.agent.as_deref().or(again.agent.as_deref()))?;
        let (command_of_jmh, folder) = (&command[..], &folder);
        let one = Benchmark { command: command_of_jmh, name: benchmark, agent: &agent, folder };
        command = one.with_operations(earlier)?;
    }
    let words = command.iter().map(|word| word.to_string_lossy().into_owned());
    let mut notes = Notes {
        command: words.collect(),
        folder: if is_named { here } else { again.folder },
        agent_options: args.agent_options.clone().unwrap_or(again.agent_options),
        once: args.once || again.once,
        exit_code: args.ending.exit_code.unwrap_or(again.exit_code),
        agent: absolute(args.agent.as_ref()).or(again.agent),
        async_profiler: absolute(args.async_profiler.as_ref()).or(again.async_profiler),
        for_seconds: args.limit.map(|limit| limit.as_secs()).or(again.for_seconds),
        ..Notes::default()
    };
    let mut runs = Runs::new(args, &notes)?;
    runs.input = match old {
        Some(old) => {
            if again.input.is_some() {
                let (from, to) = (old.folder.input(), folder.input());
                std::fs::copy(&from, &to).map_err(|e| Error::io(&from, &e))?;
            }
            notes.input = again.input;
            kept_input(&folder, &notes)?
        }
        None => {
            let (input, form) = Input::kept(&folder.input())?;
            notes.input = form;
            input
        }
    };
    // From here on, --continue knows the command.
    folder.note(&notes)?;
    runs.record(&folder, &mut notes)?;
    if notes.input.is_some() && !runs.input.is_used() {
        notes.input = None;
        let _ = std::fs::remove_file(folder.input());
        folder.note(&notes)?;
    }
    Ok(folder)
}

/// The standard input that a folder has of its program.
fn kept_input(folder: &Folder, notes: &Notes) -> Result<Input> {
    notes.input.map_or(Ok(Input::Nothing), |form| Input::again(&folder.input(), form))
}

/// A path that a command in another folder finds, too.
fn absolute(path: Option<&PathBuf>) -> Option<PathBuf> {
    path.and_then(|path| std::path::absolute(path).ok())
}

/// A new folder: where the user says, or after what is run.
fn made(args: &Args, what: &[OsString]) -> Result<Folder> {
    let out = args.out.clone().unwrap_or_else(|| default_path(what, "diagnosis"));
    if out.to_string_lossy().contains(',') {
        return Err(Error::new(format!("{}: the agent takes no name with a comma", shown(&out))));
    }
    let folder = Folder::new(&out);
    folder.create()?;
    Ok(folder)
}
