//! `subsume start`, `stop` and `dump`: commands for a JVM that runs with the
//! agent. [`attach`] has a JVM without it load it.

pub mod attach;
#[cfg_attr(not(target_os = "linux"), path = "elsewhere/conversation.rs")]
mod conversation;
#[cfg_attr(not(target_os = "linux"), path = "elsewhere/jvm.rs")]
mod jvm;
#[cfg_attr(not(target_os = "linux"), path = "elsewhere/process.rs")]
mod process;
mod sampling;

use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use base::shown;
use base::whole_file::WholeFile;
use base::{DURATION, DateTime, parse_duration};
use clap::value_parser;
use tree::error::{Error, Result};

use conversation::Conversation;
use process::Process;

use crate::cli::progress::Progress;

/// Seconds in which nothing advances, unless the user says otherwise.
const TIMEOUT: u64 = 60;

/// Which process, and how long to wait for it.
#[derive(Debug, clap::Args)]
pub struct Target {
    /// Process id of a JVM, as `jps` shows it; it must run as the same user.
    #[arg(value_name = "PID", value_parser = process_id)]
    process: u32,

    /// Give up after this many seconds without progress.
    #[arg(long, value_name = "SECONDS", default_value_t = TIMEOUT, value_parser = value_parser!(u64).range(1..))]
    timeout: u64,
}

/// Start recording in a running JVM that has the agent.
///
/// Methods that are active at that moment have no calling context; the methods that they call
/// have one.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  java -agentpath:libsubsume.so=start=off,out=server.subsume -jar server.jar &
  subsume start $!
  subsume start 4711 --for 30s && subsume dump -o now.subsume 4711")]
pub struct StartArgs {
    #[command(flatten)]
    target: Target,

    /// Stop after this time (such as 30s, 5m or 1h), or when this command is interrupted.
    #[arg(long = "for", value_name = "TIME", value_parser = duration)]
    duration: Option<Duration>,
}

/// Stop recording in a running JVM that has the agent; it can be started again.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  subsume stop 4711 && subsume dump -o phase1.subsume 4711")]
pub struct StopArgs {
    #[command(flatten)]
    target: Target,
}

/// Write a snapshot of a running JVM's recording to a file; recording goes on.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  subsume dump -o now.subsume 4711 && subsume methods now.subsume")]
pub struct DumpArgs {
    #[command(flatten)]
    target: Target,

    /// File to write [default: PID-TIME.subsume].
    #[arg(short, long = "output", value_name = "PATH")]
    out: Option<PathBuf>,
}

fn process_id(text: &str) -> std::result::Result<u32, &'static str> {
    text.parse().map_err(|_| "a PID is the number of a process, as jps lists it")
}

fn duration(text: &str) -> std::result::Result<Duration, &'static str> {
    parse_duration(text).ok_or(DURATION)
}

/// Runs `subsume start`.
///
/// # Errors
/// If no agent answers in the process, or it refuses.
pub fn start(args: &StartArgs, out: &mut impl Write) -> Result<()> {
    command(&args.target, "start", out)?;
    let Some(duration) = args.duration else { return Ok(()) };
    out.flush()?;
    jvm::wait(args.target.process, "recording", duration)?;
    command(&args.target, "stop", out)
}

/// Runs `subsume stop`.
///
/// # Errors
/// If no agent answers in the process, or it refuses.
pub fn stop(args: &StopArgs, out: &mut impl Write) -> Result<()> {
    command(&args.target, "stop", out)
}

/// Runs `subsume dump`.
///
/// # Errors
/// If no agent answers in the process, it refuses, or the file cannot be written.
pub fn dump(args: &DumpArgs, out: &mut impl Write) -> Result<()> {
    let process = Process::find(args.target.process)?;
    let path = args.out.clone().unwrap_or_else(|| default_path(&process));
    let mut whole = WholeFile::create(&path).map_err(|e| Error::io(&path, &e))?;
    let file = whole.file().try_clone().map_err(|e| Error::io(&path, &e))?;
    let id = process.id;
    converse(&args.target, move |_| {
        let mut conversation = Conversation::open(&process)?;
        conversation.ask("dump", |_| ())?;
        conversation.receive_pieces(file)
    })?;
    whole.complete().map_err(|e| Error::io(&path, &e))?;
    writeln!(out, "process {id}: written to {}", shown(&path))?;
    Ok(())
}

/// Has the agent carry out a command, a line of text, and prints its answer.
fn command(target: &Target, line: &str, out: &mut impl Write) -> Result<()> {
    let process = Process::find(target.process)?;
    let id = process.id;
    let line = line.to_owned();
    let answer =
        converse(target, move |advance| Conversation::open(&process)?.ask(&line, advance))?;
    writeln!(out, "process {id}: {answer}")?;
    Ok(())
}

/// What comes from a conversation.
enum Message<R> {
    /// How far the agent is.
    Advance(String),
    /// The end of it.
    Result(Result<R>),
}

/// Has a conversation, as long as it advances. All of it happens in a thread of its
/// own, as there is no limit for some of its steps.
fn converse<R: Send + 'static>(
    target: &Target,
    conversation: impl FnOnce(&mut dyn FnMut(&str)) -> Result<R> + Send + 'static,
) -> Result<R> {
    let (sender, receiver) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        // The receiver is gone if the answer comes too late.
        let mut advance = |how_far: &str| drop(sender.send(Message::Advance(how_far.to_owned())));
        let result = conversation(&mut advance);
        drop(sender.send(Message::Result(result)));
    });
    let progress = Progress::of_long_work();
    let mut reached = String::new();
    let mut until = Instant::now() + Duration::from_secs(target.timeout);
    loop {
        match receiver.recv_timeout(until.saturating_duration_since(Instant::now())) {
            Ok(Message::Result(result)) => return result,
            Ok(Message::Advance(how_far)) if how_far != reached => {
                progress.say(&format!("process {}: rewriting, {how_far}", target.process));
                reached = how_far;
                until = Instant::now() + Duration::from_secs(target.timeout);
            }
            Ok(Message::Advance(_)) => {}
            Err(_) => {
                let at = if reached.is_empty() { reached } else { format!(" (at {reached})") };
                return Err(Error::new(format!(
                    "process {} does not advance within {} s{at}; it may be stopped, or busy \
                     with rewriting classes, and carry the command out later",
                    target.process, target.timeout
                )));
            }
        }
    }
}

fn default_path(process: &Process) -> PathBuf {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let DateTime { year, month, day, hour, minute, second } =
        DateTime::from_millis(since.as_millis() as u64);
    let time = format!("{year:04}{month:02}{day:02}-{hour:02}{minute:02}{second:02}");
    PathBuf::from(format!("{}-{time}.subsume", process.id))
}
