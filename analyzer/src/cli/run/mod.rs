//! `subsume run`: runs a program under the agent and gives the first answer.

pub mod agent;
#[cfg_attr(not(target_os = "linux"), path = "elsewhere/child.rs")]
pub mod child;
pub mod ending;
#[cfg_attr(not(target_os = "linux"), path = "elsewhere/input.rs")]
pub mod input;
mod input_form;
mod java_image;
pub mod jvms;
pub mod launch;
pub mod plain;
pub mod profiles;
#[cfg(target_os = "linux")]
mod title;

use std::ffi::OsString;
use std::io::{BufWriter, Write, stderr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use base::DateTime;
use base::{printable, tell};
use clap::{Parser, ValueEnum};
use tree::error::{Error, Result};
use tree::readable_names::columns;

use super::{Cli, FAILURE, execute};
use ending::Ending;
use input::Input;
use jvms::{Jvm, jvms};
use launch::Launch;
use plain::{PlainRun, Sampler};
use profiles::Profiles;

/// Run a Java program under the agent, then show the first answer.
///
/// The program's output and exit code are its own; messages of this command go to standard
/// error. A command other than `java` (a start script, mvn, gradle) gets the agent through the
/// variable JAVA_TOOL_OPTIONS, and every JVM that it starts writes a profile.
#[derive(Debug, clap::Args)]
#[command(override_usage = "subsume run [OPTIONS] [--] <COMMAND>...")]
#[command(after_help = "\
Examples:
  subsume run java -jar fop.jar in.fo out.pdf
  subsume run -o build.subsume mvn -o -q test
  subsume run --mode copies java -cp classes Main
  subsume run --agent-options 'exclude=org.h2.*,max-memory=2g' ./server.sh
  subsume run --time java -jar fop.jar in.fo out.pdf
  subsume run --time mvn -o -q test
  subsume run --time --exit-code 1 java -jar linter.jar src
  subsume run gradle --no-daemon test

Options of this command come before the program; all words after it belong to the program.
A JVM that is running already, such as a gradle daemon, does not get the agent.")]
pub struct Args {
    /// File for the profile [default: NAME-TIME.subsume, after the program].
    #[arg(short, long = "output", value_name = "PATH")]
    out: Option<PathBuf>,

    /// What to record; 'subsume help modes' explains the modes and what they cost.
    #[arg(long, value_name = "MODE", default_value = "calls")]
    mode: Mode,

    /// Also count how often each source line is executed, for 'subsume lines' and 'subsume
    /// report --sources'. The run takes longer.
    #[arg(long)]
    lines: bool,

    /// More options of the agent, such as include=NAMES,start=off.
    #[arg(long, value_name = "OPTIONS")]
    agent_options: Option<String>,

    /// The agent [default: libsubsume.so beside this command, or $SUBSUME_AGENT].
    #[arg(long, value_name = "PATH")]
    agent: Option<PathBuf>,

    /// Show this many entries of the answer, 0 for none [default: 5 of each list of
    /// calls, 10 of copies, and 3 of costs and nulls, which have many lines each].
    #[arg(long, value_name = "N")]
    top: Option<usize>,

    /// Run the program twice: first without the agent and sampled, then recorded. The profile
    /// keeps the samples, and every answer shows the time of the uninstrumented run beside the
    /// exact costs. Use it for programs that do the same in each run.
    #[arg(long)]
    time: bool,

    /// The library of async-profiler, which takes the samples for --time [default:
    /// the JVM's Flight Recorder takes them, from JDK 25 on by processor time].
    #[arg(long, value_name = "LIBRARY", requires = "time")]
    async_profiler: Option<PathBuf>,

    #[command(flatten)]
    ending: Ending,

    /// The program and its arguments; '--' may precede it.
    #[arg(last = true, required = true, value_name = "COMMAND")]
    command: Vec<OsString>,
}

/// What the agent records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Mode {
    Calls,
    // The tree of calls is with them anyway, and the agent takes this name, too.
    #[value(alias = "calls+copies")]
    Copies,
    Costs,
    Nulls,
    #[value(alias = "calls+loops")]
    Loops,
    #[value(alias = "calls+growth")]
    Growth,
    #[value(alias = "calls+typestate")]
    Typestate,
    #[value(alias = "calls+results")]
    Results,
    #[value(name = "calls+costs")]
    CallsAndCosts,
    #[value(name = "calls+nulls")]
    CallsAndNulls,
}

impl Mode {
    /// As the agent calls it.
    pub fn name(self) -> &'static str {
        match self {
            Mode::Calls => "calls",
            Mode::Copies => "copies",
            Mode::Costs => "costs",
            Mode::Nulls => "nulls",
            Mode::Loops => "loops",
            Mode::Growth => "growth",
            Mode::Typestate => "typestate",
            Mode::Results => "results",
            Mode::CallsAndCosts => "calls+costs",
            Mode::CallsAndNulls => "calls+nulls",
        }
    }

    /// True if the calling context tree has costs.
    fn has_calls(self) -> bool {
        matches!(self, Mode::Calls | Mode::Copies | Mode::CallsAndCosts | Mode::CallsAndNulls)
    }

    /// Entries of the answer that fit on a screen.
    pub fn top(self) -> usize {
        match self {
            Mode::Calls => 5,
            Mode::Copies => 10,
            Mode::Costs
            | Mode::Nulls
            | Mode::Loops
            | Mode::Growth
            | Mode::Typestate
            | Mode::Results
            | Mode::CallsAndCosts
            | Mode::CallsAndNulls => 3,
        }
    }

    /// The command that shows most of what was recorded, and two more.
    fn commands(self) -> [&'static str; 3] {
        match self {
            Mode::Calls => ["summary", "methods", "report"],
            Mode::Copies => ["copies", "chains", "temporaries"],
            Mode::Costs => ["costs", "dead", "report"],
            Mode::Nulls => ["nulls", "info", "report"],
            Mode::Loops => ["loops", "methods", "search"],
            Mode::Growth => ["growth", "loops", "methods"],
            Mode::Typestate => ["typestate", "methods", "search"],
            Mode::Results => ["repeats", "summary", "methods"],
            Mode::CallsAndCosts => ["costs", "dead", "methods"],
            Mode::CallsAndNulls => ["nulls", "methods", "search"],
        }
    }
}

/// What commands say that need the agent, on other systems.
pub const ONLY_ON_LINUX: &str =
    "this command needs the agent, which runs on Linux; here profiles can be read";

impl Args {
    /// Who takes the samples.
    fn sampler(&self) -> Result<Sampler> {
        Sampler::new(self.async_profiler.as_deref())
    }

    /// The command line that runs the same with --time, for a program that ends with this code.
    /// It has the same file for the profile only if that was not written.
    fn with_time(&self, code: i32, has_file: bool) -> String {
        let path = |path: &Path| quoted(&path.to_string_lossy());
        let mut words = vec!["subsume run --time".to_owned()];
        if code != 0 {
            words.push(format!("--exit-code {code}"));
        }
        if let Some(out) = self.out.as_deref().filter(|_| !has_file) {
            words.push(format!("-o {}", path(out)));
        }
        if self.mode != Mode::Calls {
            words.push(format!("--mode {}", self.mode.name()));
        }
        if self.lines {
            words.push("--lines".to_owned());
        }
        if let Some(options) = &self.agent_options {
            words.push(format!("--agent-options {}", quoted(options)));
        }
        if let Some(agent) = &self.agent {
            words.push(format!("--agent {}", path(agent)));
        }
        if let Some(library) = &self.async_profiler {
            words.push(format!("--async-profiler {}", path(library)));
        }
        words.push("--".to_owned());
        words.extend(self.command.iter().map(|word| quoted(&word.to_string_lossy())));
        words.join(" ")
    }
}

/// The number of JVMs of a run that get an answer each; of more only the files are named.
const ANSWERED: usize = 6;
/// Entries of the answers behind the first.
const BRIEF: usize = 3;

/// Runs the command. The exit code is the program's; ours if that is 0 and
/// there is nothing to show.
///
/// # Errors
/// If the library is not found, the program cannot be started, or what it left cannot be read.
pub fn run(args: &Args) -> Result<ExitCode> {
    if args.ending.exit_code.is_some() && !args.time {
        return Err(Error::new(
            "--exit-code says that the uninstrumented run of --time did not fail; without --time it \
             is not needed",
        ));
    }
    let agent = agent::find(args.agent.as_deref())?;
    let out = match &args.out {
        Some(out) => out.clone(),
        None => default_path(&args.command, "subsume"),
    };
    let out = std::path::absolute(&out).map_err(|e| Error::io(&out, &e))?;
    // The program that runs twice reads the same twice.
    let input = if args.time { Some(Input::of_this()?) } else { None };
    let mut launch = Launch::new(&args.command);
    if let Some(input) = &input {
        launch = launch.reading(input);
    }
    let profiles = Profiles::expected(&out, launch.is_java());
    let mut options = format!("out={},mode={}", profiles.template()?, args.mode.name());
    if args.lines {
        options.push_str(",lines=on");
    }
    if let Some(more) = &args.agent_options {
        options.push(',');
        options.push_str(more);
    }
    profiles.check()?;
    let plain = if args.time {
        if !args.mode.has_calls() {
            return Err(Error::new(
                "--time is for a mode with calls, such as calls, copies or calls+costs",
            ));
        }
        let (plain, status) = PlainRun::of(&launch, &args.sampler()?, &profiles)?;
        let usual = args.ending.exit_code.unwrap_or_default();
        // It would fail again.
        if let Err(failed) = ending::check(status, usual, "", |code| args.with_time(code, false)) {
            tell!("{failed}");
            return Ok(launch::exit_code(status));
        }
        Some(plain)
    } else {
        None
    };
    let status = launch.record(&agent, &options, &profiles)?;
    let files = profiles.collect()?;
    let code = launch::exit_code(status);
    if files.is_empty() {
        let line = format!(
            "no profile was written to {}; see what the JVM said above, or whether a JVM was started",
            base::shown(&out)
        );
        if status.success() {
            return Err(Error::new(line));
        }
        tell!("{line}");
        return Ok(code);
    }
    let jvms = jvms(&files);
    if let Some(plain) = plain {
        plain.lay_on(&jvms);
    }
    if let Err(error) = answer(args, &jvms, status.code().unwrap_or_default()) {
        tell!("{error}");
        if status.success() {
            return Ok(ExitCode::from(FAILURE));
        }
    }
    Ok(code)
}

/// The top of the mode's main command for each JVM, and what to type next. `code` is the one that
/// the program ended with.
fn answer(args: &Args, jvms: &[Jvm], code: i32) -> Result<()> {
    let mut out = BufWriter::new(stderr());
    let [main, rest @ ..] = args.mode.commands();
    writeln!(out)?;
    let top = args.top.unwrap_or(args.mode.top());
    for (number, jvm) in jvms.iter().enumerate() {
        if jvms.len() > 1 {
            headline(jvm, &mut out)?;
        }
        // Others than the first are answered more briefly, so that it is found again.
        let top = if number == 0 || args.top.is_some() { top } else { top.min(BRIEF) };
        if top > 0 && number < ANSWERED {
            let command = [main.to_owned(), format!("--top={top}")];
            match answer_with(&command, &jvm.file, &mut out) {
                // It keeps nobody from the others' answers.
                Err(error) if jvms.len() > 1 => writeln!(out, "subsume: {error}")?,
                shown => shown?,
            }
        }
        writeln!(out, "Recorded in {}", shown(&jvm.file))?;
        if jvms.len() > 1 {
            writeln!(out)?;
        }
    }
    let file = jvms.first().map(|jvm| shown(&jvm.file)).unwrap_or_default();
    writeln!(out, "Next:")?;
    if !args.time && args.mode.has_calls() {
        let line = args.with_time(code, true);
        writeln!(out, "    {line}    with the time of an uninstrumented run")?;
    }
    let lines = args.lines.then_some("lines");
    for command in std::iter::once(main).chain(lines).chain(rest) {
        writeln!(out, "    subsume {command} {file}")?;
    }
    out.flush()?;
    Ok(())
}

/// Which JVM the following is about.
fn headline(jvm: &Jvm, out: &mut impl Write) -> Result<()> {
    let lead = format!("JVM {}, {}: ", jvm.process_id, jvm.purpose.name());
    let left = super::terminal::width().saturating_sub(columns(&lead)).max(40);
    let command_line = printable(&jvm.command_line);
    let (line, is_cut) = match command_line.char_indices().nth(left - 3) {
        Some((end, _)) => (&command_line[..end], "..."),
        None => (&*command_line, ""),
    };
    writeln!(out, "{lead}{line}{is_cut}")?;
    Ok(())
}

/// What a command says of one profile.
///
/// # Errors
/// If the command fails, or `out` does.
pub fn answer_with(command: &[String], file: &Path, out: &mut impl Write) -> Result<()> {
    let words = std::iter::once("subsume").chain(command.iter().map(String::as_str));
    // Commands in the answer name the file as one would type it.
    let folder = std::env::current_dir().unwrap_or_default();
    let file = file.strip_prefix(folder).unwrap_or(file);
    let words = words.map(OsString::from).chain([file.as_os_str().to_owned()]);
    let cli = Cli::try_parse_from(words).map_err(|error| Error::new(error.to_string()))?;
    execute(cli.command, out)?;
    writeln!(out)?;
    Ok(())
}

/// A path as one would type it: relative to the working folder, quoted if it
/// has to be.
pub fn shown(file: &Path) -> String {
    let folder = std::env::current_dir().unwrap_or_default();
    let text = file.strip_prefix(folder).unwrap_or(file).to_string_lossy().into_owned();
    quoted(&text)
}

/// In quotes, where a shell would take it apart.
pub fn quoted(text: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+%@=:,".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.to_owned();
    }
    printable(&format!("'{}'", text.replace('\'', "'\\''"))).into_owned()
}

/// After the jar, the main class or the script, and the time, with this ending.
pub fn default_path(command: &[OsString], ending: &str) -> PathBuf {
    let name = launch::subject(command);
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let DateTime { year, month, day, hour, minute, second } =
        DateTime::from_millis(since.as_millis() as u64);
    let time = format!("{year:04}{month:02}{day:02}-{hour:02}{minute:02}{second:02}");
    PathBuf::from(format!("{name}-{time}.{ending}"))
}
