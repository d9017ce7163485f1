//! `subsume attach` and `detach`: recording a JVM that was started without the agent.

use std::io::{IsTerminal, Write, stderr};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use base::whole_file::WholeFile;
use base::{shown, tell};
use tree::error::{Error, Result};
use tree::time::text::heading;

use super::conversation::Conversation;
use super::jvm;
use super::process::Process;
use super::{TIMEOUT, Target, command, default_path, duration, sampling};
use crate::cli::progress::Progress;
use crate::cli::run::{Mode, agent, answer_with, shown as in_command};
use crate::cli::time;

/// Record a running JVM that was started without the agent.
///
/// Loads the agent into the JVM and instruments its classes. Contexts are exact from then on.
/// Calls that are active at that moment have no context; the calls that they make have one.
/// Hidden classes, such as those of lambdas, are not instrumented. Only mode=calls works this
/// way: the modes that follow data need the agent from the start.
///
/// JVMs from JDK 21 on print a warning that an agent was loaded dynamically, unless they
/// were started with -XX:+EnableDynamicAgentLoading; those started with
/// -XX:-EnableDynamicAgentLoading or -XX:+DisableAttachMechanism refuse it.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  subsume attach 4711 -o load.subsume --for 30s
  subsume attach 4711 -o load.subsume --for 30s --time
  subsume attach 4711 -o load.subsume --options 'include=org.example.*' && sleep 60 && \\
    subsume detach 4711
  subsume summary load.subsume")]
pub struct AttachArgs {
    #[command(flatten)]
    target: Target,

    /// File to write when recording ends [default: PID-TIME.subsume].
    #[arg(short, long = "output", value_name = "PATH")]
    out: Option<PathBuf>,

    /// Detach after this time (such as 30s, 5m or 1h), or when this command is interrupted;
    /// then show the first answer. Rewriting the classes before and writing the profile after
    /// take some more seconds.
    #[arg(long = "for", value_name = "TIME", value_parser = duration)]
    duration: Option<Duration>,

    /// Sample the JVM first, for as long as it is recorded afterwards. The profile then has the
    /// time of the uninstrumented run beside the exact costs.
    #[arg(long, requires = "duration")]
    time: bool,

    /// Options of the agent other than out, such as 'include=org.example.*' or lines=on; they
    /// hold until the JVM ends.
    #[arg(long, value_name = "KEY=VALUE,...")]
    options: Option<String>,

    /// The agent's library [default: the one beside this command].
    #[arg(long, value_name = "PATH")]
    agent: Option<PathBuf>,

    /// Show this many entries of each list of the answer, 0 for none.
    #[arg(long, value_name = "N", default_value_t = Mode::Calls.top())]
    top: usize,

    /// Show the page of the recording in a browser, as 'subsume open' does.
    #[arg(long, requires = "duration")]
    open: bool,
}

/// What takes no longer than that is not worth a word.
const LITTLE: Duration = Duration::from_secs(2);

/// End the recording that `subsume attach` began: remove its instrumentation, and write the
/// profile.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  subsume detach 4711 && subsume methods load.subsume")]
pub struct DetachArgs {
    #[command(flatten)]
    target: Target,
}

/// Runs `subsume attach`.
///
/// # Errors
/// If the JVM does not take the agent, or the agent refuses.
pub fn attach(args: &AttachArgs, out: &mut impl Write) -> Result<()> {
    tell_cost(args)?;
    let path = record(args, out)?;
    if args.duration.is_none() {
        return Ok(());
    }
    out.flush()?;
    writeln!(out)?;
    if args.top > 0 {
        answer_with(&["summary".to_owned(), format!("--top={}", args.top)], &path, out)?;
    }
    let file = in_command(&path);
    writeln!(out, "Recorded in {file}\nNext:")?;
    for command in ["summary", "methods", "open"] {
        writeln!(out, "    subsume {command} {file}")?;
    }
    if args.open {
        answer_with(&["open".to_owned()], &path, out)?;
    }
    Ok(())
}

/// Records as [`attach`] does, without saying what to type next; returns the profile's path.
///
/// # Errors
/// If the JVM does not take the agent, or the agent refuses.
pub fn record(args: &AttachArgs, out: &mut impl Write) -> Result<PathBuf> {
    // Before anything is loaded: who interrupts then has nothing to detach.
    let process = Process::find(args.target.process)?;
    let path = args.out.clone().unwrap_or_else(|| default_path(&process));
    let path = std::path::absolute(&path).map_err(|e| Error::io(&path, &e))?;
    let shown = path_in_command(&path)?;
    let timeout = Duration::from_secs(args.target.timeout);
    let samples = match args.duration.filter(|_| args.time) {
        None => None,
        Some(duration) => {
            // Before it has waited in vain.
            WholeFile::create(&path).map(drop).map_err(|e| Error::io(&path, &e))?;
            Some(sampling::sample(&process, &path, duration, timeout)?)
        }
    };
    let (began, asked) = (SystemTime::now(), Instant::now());
    let progress = Progress::of_long_work();
    progress.say(&format!("process {}: loading the agent", process.id));
    let mut given = String::new();
    if let Ok(mut agent) = Conversation::open(&process) {
        given = earlier_options(&mut agent, &process, args.options.as_deref())?;
    } else {
        check(&process, args.options.as_deref())?;
        let library = agent::find(args.agent.as_deref())?;
        let out = shown.replace('%', "%%");
        let options = match &args.options {
            Some(options) => format!("out={out},{options}"),
            None => format!("out={out}"),
        };
        jvm::load(&process, &library, &options, timeout)?;
    }
    drop(progress);
    let id = process.id;
    command(&args.target, &format!("attach {shown}"), out)?;
    let preparing = asked.elapsed();
    if !given.is_empty() && args.options.is_none() {
        writeln!(out, "process {id}: with the options of the first time: {given}")?;
    }
    out.flush()?;
    if let Some(duration) = args.duration {
        jvm::wait(id, "recording", duration)?;
        let ending = Instant::now();
        // This recording, and no other one that somebody has begun meanwhile.
        let ended = command(&args.target, &format!("detach {shown}"), out);
        tell_times(preparing, ending.elapsed(), out)?;
        match Process::find(id) {
            Err(_) if ended.is_err() => tell_left(id, &path, began, out)?,
            _ => ended?,
        }
        if let Some(samples) = samples {
            // The recording is whole without them.
            match time::lay(&samples, &path, &path) {
                Ok(sampling) => writeln!(out, "{}", heading(&sampling))?,
                Err(error) => tell!("note: {error}"),
            }
        }
    }
    Ok(path)
}

/// Says what it costs, to somebody who can still interrupt it.
fn tell_cost(args: &AttachArgs) -> Result<()> {
    if !stderr().is_terminal() {
        return Ok(());
    }
    let id = args.target.process;
    // A process that is not there costs nothing.
    Process::find(id)?;
    let end = match args.duration {
        Some(_) => String::new(),
        None => format!(", until 'subsume detach {id}' ends it and writes the profile"),
    };
    tell!(
        "process {id}: all its classes get probes first, which takes some seconds; then it answers \
         less than half as much as usual{end}. Afterwards it runs without probes again"
    );
    Ok(())
}

/// Says where the time went, if it was more than the user has asked for.
fn tell_times(preparing: Duration, ending: Duration, out: &mut impl Write) -> Result<()> {
    if preparing + ending > LITTLE {
        writeln!(
            out,
            "Beside the recording, {:.1} s went into giving classes their probes, and {:.1} s into \
             taking them away and writing the profile",
            preparing.as_secs_f64(),
            ending.as_secs_f64()
        )?;
    }
    Ok(())
}

impl AttachArgs {
    /// Samples a JVM and records it for as long, into a file, with these options unless it has
    /// the agent from an earlier time.
    ///
    /// # Errors
    /// If there is no such process.
    pub fn sampled(
        process: u32,
        out: PathBuf,
        duration: Duration,
        options: String,
        agent: Option<PathBuf>,
    ) -> Result<Self> {
        let has_agent = Conversation::open(&Process::find(process)?).is_ok();
        Ok(Self {
            target: Target { process, timeout: TIMEOUT },
            out: Some(out),
            duration: Some(duration),
            time: true,
            options: (!has_agent).then_some(options),
            agent,
            top: Mode::Calls.top(),
            open: false,
        })
    }
}

/// The options that an agent from an earlier time has, which it keeps.
///
/// # Errors
/// If it is to have others.
fn earlier_options(
    agent: &mut Conversation,
    process: &Process,
    wanted: Option<&str>,
) -> Result<String> {
    // Agents of before do not tell them.
    let given = agent.ask("options", |_| ()).ok();
    if wanted.is_some() && wanted != given.as_deref() {
        let options = match given.as_deref() {
            None | Some("") => "without options".to_owned(),
            Some(given) => format!("with the options of then, {given}"),
        };
        return Err(Error::new(format!(
            "process {} has the agent from an earlier time, {options}; leave out --options",
            process.id
        )));
    }
    Ok(given.unwrap_or_default())
}

/// Says what a process that has ended meanwhile has left.
fn tell_left(id: u32, path: &Path, began: SystemTime, out: &mut impl Write) -> Result<()> {
    let written = std::fs::metadata(path).and_then(|file| file.modified());
    if !written.is_ok_and(|written| written >= began) {
        let path = shown(path);
        return Err(Error::new(format!("process {id} has ended before {path} was written")));
    }
    writeln!(out, "process {id} has ended; {} has what it executed until then", shown(path))?;
    Ok(())
}

/// Refuses what the agent would refuse, before the JVM loads it and says so to its users.
fn check(process: &Process, options: Option<&str>) -> Result<()> {
    let mode = options
        .into_iter()
        .flat_map(|options| options.split(','))
        .find_map(|option| option.strip_prefix("mode=").filter(|mode| *mode != "calls"));
    match mode {
        None => Ok(()),
        Some(mode) => Err(Error::new(format!(
            "process {} runs without the agent, and only mode=calls can be had then: for \
             mode={mode}, classes get what it takes as they are loaded; name the agent at the \
             start of the JVM",
            process.id
        ))),
    }
}

/// Runs `subsume detach`.
///
/// # Errors
/// If no agent answers in the process, or it refuses.
pub fn detach(args: &DetachArgs, out: &mut impl Write) -> Result<()> {
    command(&args.target, "detach", out)
}

/// A path as it stands in the agent's options and in a command.
fn path_in_command(path: &Path) -> Result<String> {
    let shown = shown(path);
    match path.to_str() {
        Some(text) if !text.contains([',', '\n']) => Ok(text.to_owned()),
        _ => Err(Error::new(format!(
            "{shown}: the agent takes no path with a comma, a line break or bytes that are no UTF-8"
        ))),
    }
}
