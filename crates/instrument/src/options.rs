//! The agent's options: what stands behind `-agentpath:libsubsume.so=`.

use std::time::Duration;

use base::{DURATION, DateTime, parse_duration};
use profile::layout::metrics;

use crate::dataflow::capability::Capability;
use crate::dataflow::mode::Mode;
use crate::dataflow::modes;
use crate::dataflow::protocols::protocols;
use crate::pattern::ClassPatterns;
use crate::splits::rules::Splits;
use arena::COMMIT_FIRST;

/// What the user asked for.
#[derive(Debug, Clone)]
pub struct Options {
    /// Template of the profile's path; see [`expand`]. Without one, see
    /// [`destination`](crate::destination).
    pub out: Option<String>,
    /// What is recorded.
    pub mode: Mode,
    /// When recording begins.
    pub start: Start,
    /// Which classes are instrumented.
    pub classes: ClassPatterns,
    /// How many calling contexts are recorded at most.
    pub max_contexts: Option<u64>,
    /// How many bytes the file may have while it is recorded.
    pub max_memory: Option<u64>,
    /// Whether executions of source lines are counted, too.
    pub lines: bool,
    /// Whether allocated bytes are counted, where the mode counts allocations.
    pub bytes: bool,
    /// Which methods have contexts by the text of an argument.
    pub splits: Option<Splits>,
    /// Whether `subsume start`, `stop` and `dump` reach the process.
    pub control: bool,
    /// When what was recorded until then is written to a file of its own.
    pub dumps: Option<Dumps>,
    /// How long recording goes on.
    pub stop_after: Option<Duration>,
    /// What the run is told apart by from others: names and values.
    pub labels: Vec<(String, String)>,
    /// Whether host, container and commit are labels, too.
    pub labels_of_environment: bool,
    /// What compiles the program while it is recorded.
    pub compilers: Compilers,
}

/// The JVM's compilers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Compilers {
    /// C1, and C2 for the hottest methods.
    Hottest,
    /// C1 without C2.
    C1,
    /// Both, as without the agent.
    Usual,
}

/// Profiles that are written again and again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dumps {
    /// The time from one to the next.
    pub every: Duration,
    /// How many of them stay.
    pub keep: usize,
}

impl Dumps {
    /// How many stay unless the user says something else.
    pub const KEPT: usize = 60;
}

/// When recording begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// As soon as the JVM is initialised.
    Startup,
    /// When the program calls `subsume.Profile.start()`, or `subsume start` asks for it.
    Off,
    /// When `subsume attach` asks for it: the agent came into a JVM that was running. No
    /// option says so.
    Attached,
}

/// Outcome of reading the option string.
#[derive(Debug)]
pub enum Parsed {
    /// Record with these options.
    Run(Box<Options>),
    /// The user asked for [`HELP`].
    Help,
}

/// All keys, in the order of [`HELP`].
const KEYS: [&str; 25] = [
    "out",
    "mode",
    "protocol",
    "slots",
    "context",
    "lines",
    "bytes",
    "split",
    "split-texts",
    "include",
    "exclude",
    "own",
    "start",
    "max-contexts",
    "max-memory",
    "max-accesses",
    "max-calls",
    "deep",
    "dump-every",
    "dump-keep",
    "stop-after",
    "compilers",
    "control",
    "label.NAME",
    "labels",
];
/// What options that are labels begin with.
const LABEL: &str = "label.";

/// Text for `help`.
pub const HELP: &str = "\
usage: java -agentpath:/path/to/libsubsume.so[=key=value,...] ...

  out=PATH        path of the profile; %p is the process id, %t the start time, %% a
                  percent sign (default %p.subsume; if that exists, %p-2.subsume and
                  so on)
  mode=calls      count calls, executed bytecodes and allocations in every calling
                  context (default)
  mode=copies     as mode=calls, and record which values are copied from where to
                  where
  mode=costs      record what it costs to compute values, and how they are used
  mode=nulls      record where the nulls behind NullPointerExceptions come from
  mode=loops      as mode=calls, and find loops whose iterations read similar values
                  again
  mode=growth     as mode=loops, and measure how the cost of loops grows with the
                  data that they read
  mode=results    as mode=calls, and count how often a method returns the same result
                  for the same receiver and arguments
  mode=typestate  as mode=calls, and record histories of objects that follow
                  protocols: streams, iterators, locks and others
  mode=calls+costs, mode=calls+nulls
                  both modes in one run
  deep=METHODS    with mode=results, also compare the objects of these methods by
                  content: 'org.example.Fonts.key', patterns as in include
  protocol=NAMES  protocols that mode=typestate follows: streams, iterators, jdbc,
                  locks, sockets (default all of them), or files with your own
                  protocols; separate several with ;
  context=KIND    how copies and costs distinguish the objects of one site: by the
                  object whose method makes them (receiver, default of copies); by
                  all receivers on the stack (chain, only for costs, their default);
                  not at all (none)
  slots=N         number of groups for the contexts of a site, at most 256 (default
                  4, costs 16); 0 means context=none
  lines=on        also count how often each source line is executed (slower)
  bytes=off       do not count allocated bytes (default on: modes calls, loops,
                  growth and results count them)
  split=METHODS   count separately for each text of an argument:
                  'shop.Orders.find(1)', patterns as in include; (1:sql) ignores
                  literals, (1:route) and (1:file) ignore numbers; or presets: jdbc,
                  http-server, http-client, kafka, jpa, files
  split-texts=N   distinguish N texts of a method; all others share their counts
                  (default 1000)
  include=NAMES   instrument only classes with these names; * stands for any
                  characters; separate several with ;: org.apache.*;java.util.*
  exclude=NAMES   do not instrument classes with these names; with mode=loops and
                  mode=growth, include and exclude choose the classes whose loops
                  are judged; with mode=typestate, the classes whose objects are
                  named
  own=NAMES       classes that answers treat as your own code: demo.*;shop.*
                  (names of folders and archives of classes begin with /)
                  (default: decided by the location of each class; 'subsume info'
                  shows the result)
  start=startup   record from the start of the JVM (default)
  start=off       record when the program calls subsume.Profile.start() or
                  'subsume start PID' asks for it
  max-contexts=N  record at most N calling contexts
  max-memory=SIZE let the file grow to at most SIZE bytes while recording; k, m and g
                  stand for 1024, 1024^2 and 1024^3 bytes; at least 1m
  max-accesses=N  with mode=loops, judge each loop in each calling context for at most
                  N accesses of a thread; with mode=growth, also measure each loop for
                  at most N accesses of a thread (default 16m)
  max-calls=N     with mode=results, follow about N calls of each method (default 64k)
  dump-every=TIME write a snapshot of the profile at this interval: seconds (60s),
                  minutes (5m) or hours, to files named after the profile and the
                  time: fop-20260131-120000.subsume
  dump-keep=N     keep the last N snapshots (default 60)
  stop-after=TIME stop recording after this time; the program then runs without probes
  compilers=WHICH hottest: compile with C1, and only the hottest methods with C2, which
                  takes long for code with probes (default if the JVM is recorded from
                  its start); c1: never compile with C2; both: compile as without the
                  agent
  label.NAME=VALUE  add a label to the profile, such as label.version=1.2; 'subsume
                  info' shows it, and 'subsume fleet add' keeps it
  labels=environment  add labels for host, container and commit, if the environment
                  names them (default none)
  control=off     create no socket for 'subsume start|stop|dump PID'
  help            print this text

example: java -agentpath:./libsubsume.so=out=fop.subsume -jar fop.jar in.fo out.pdf
then:    subsume methods fop.subsume
";

impl Options {
    /// Reads the text behind the library's name.
    ///
    /// # Errors
    /// One line that names the wrong key or value and what would be right.
    pub fn parse(text: &str) -> Result<Parsed, String> {
        let mut options = Options {
            out: None,
            mode: Mode::default(),
            start: Start::Startup,
            classes: ClassPatterns::default(),
            max_contexts: None,
            max_memory: None,
            lines: false,
            bytes: true,
            splits: None,
            control: true,
            dumps: None,
            stop_after: None,
            labels: Vec::new(),
            labels_of_environment: false,
            compilers: Compilers::Hottest,
        };
        let mut include = None;
        let mut exclude = None;
        let mut mode = "calls";
        let mut context = None;
        let mut slots = None;
        let mut protocol = None;
        let mut accesses = None;
        let mut most_calls = None;
        let mut split = None;
        let mut most_texts = None;
        let mut deep = None;
        let mut dump_every = None;
        let mut dump_keep = None;
        let mut given = Vec::new();
        for part in text.split(',').filter(|part| !part.is_empty()) {
            let (key, value) = match part.split_once('=') {
                Some((key, value)) => (key, Some(value)),
                None => (part, None),
            };
            if key == "help" {
                return Ok(Parsed::Help);
            }
            let label = key.strip_prefix(LABEL);
            if label.is_none() && !KEYS.contains(&key) {
                let known = KEYS.join(", ");
                return Err(format!("unknown option '{key}' (known: {known}, help)"));
            }
            if given.contains(&key) {
                return Err(format!("option '{key}' is given twice"));
            }
            given.push(key);
            let value = value
                .filter(|value| !value.is_empty())
                .ok_or_else(|| format!("option '{key}' needs a value: {key}=..."))?;
            if let Some(name) = label {
                if !is_label_name(name) {
                    return Err(format!(
                        "'{name}' is not the name of a label: use letters, digits, '_', '-' and '.'"
                    ));
                }
                options.labels.push((name.to_owned(), value.to_owned()));
                continue;
            }
            match key {
                "out" => options.out = Some(value.to_owned()),
                "include" => include = Some(value),
                "exclude" => exclude = Some(value),
                "mode" => mode = value,
                // It is for the analyzer, which finds it in the profile.
                "own" => {}
                "context" => context = Some(value),
                "protocol" => protocol = Some(value),
                "deep" => deep = Some(value),
                "slots" => slots = Some(value),
                "start" if value == "startup" => options.start = Start::Startup,
                "start" if value == "off" => options.start = Start::Off,
                "start" => {
                    return Err(format!("unknown value '{value}' for start (known: startup, off)"));
                }
                "max-contexts" => options.max_contexts = Some(count(key, value)?),
                "max-accesses" => accesses = Some(number_with_unit(key, value, "16m")?),
                "max-calls" => most_calls = Some(number_with_unit(key, value, "64k")?),
                "dump-every" => dump_every = Some(duration(key, value)?),
                "dump-keep" => dump_keep = Some(count(key, value)?),
                "stop-after" => options.stop_after = Some(duration(key, value)?),
                "max-memory" => options.max_memory = Some(size(value)?),
                "split" => split = Some(value),
                "split-texts" => most_texts = Some(count(key, value)?),
                "lines" if value == "on" => options.lines = true,
                "lines" if value == "off" => options.lines = false,
                "bytes" if value == "on" => options.bytes = true,
                "bytes" if value == "off" => options.bytes = false,
                "control" if value == "on" => options.control = true,
                "control" if value == "off" => options.control = false,
                "compilers" if value == "c1" => options.compilers = Compilers::C1,
                "compilers" if value == "both" => options.compilers = Compilers::Usual,
                "compilers" if value == "hottest" => options.compilers = Compilers::Hottest,
                "compilers" => {
                    return Err(format!(
                        "unknown value '{value}' for compilers (known: hottest, c1, both)"
                    ));
                }
                "labels" if value == "environment" => options.labels_of_environment = true,
                "labels" if value == "none" => options.labels_of_environment = false,
                "labels" => {
                    return Err(format!(
                        "unknown value '{value}' for labels (known: environment, none)"
                    ));
                }
                _ => return Err(format!("unknown value '{value}' for {key} (known: on, off)")),
            }
        }
        options.out.as_deref().map_or(Ok(()), check_template)?;
        options.classes = ClassPatterns::new(include, exclude)?;
        options.mode = Mode::parse(&modes::ALL, mode, context, slots)?;
        match &mut options.mode.dataflow {
            Some(flow) if flow.mode.has(Capability::FollowsProtocols) => {
                flow.protocols = protocols(protocol)?
            }
            _ if protocol.is_some() => {
                return Err("option 'protocol' needs mode=typestate".to_owned());
            }
            _ => {}
        }
        match (&mut options.mode.dataflow, accesses) {
            (Some(flow), Some(number)) if flow.mode.has(Capability::JudgesLoops) => {
                flow.accesses = number
            }
            (_, Some(_)) => {
                return Err("option 'max-accesses' needs mode=loops or mode=growth".to_owned());
            }
            _ => {}
        }
        match (&mut options.mode.dataflow, most_calls) {
            (Some(flow), Some(number)) if flow.mode.has(Capability::ComparesResults) => {
                flow.most_calls = number
            }
            (_, Some(_)) => return Err("option 'max-calls' needs mode=results".to_owned()),
            _ => {}
        }
        match (&mut options.mode.dataflow, deep) {
            (Some(flow), Some(methods)) if flow.mode.has(Capability::ComparesResults) => {
                let methods: Vec<String> = methods.split(';').map(str::to_owned).collect();
                // It is asked for as long as the process lives.
                flow.deep = methods.leak();
            }
            (_, Some(_)) => return Err("option 'deep' needs mode=results".to_owned()),
            _ => {}
        }
        options.dumps = match (dump_every, dump_keep) {
            (Some(every), keep) => {
                let keep = keep.map_or(Dumps::KEPT, |keep| keep.try_into().unwrap_or(usize::MAX));
                Some(Dumps { every, keep })
            }
            (None, Some(_)) => return Err("option 'dump-keep' needs dump-every".to_owned()),
            (None, None) => None,
        };
        options.splits = split.map(|split| Splits::new(split, most_texts)).transpose()?;
        if options.splits.is_none() && most_texts.is_some() {
            return Err("option 'split-texts' needs split".to_owned());
        }
        if options.splits.is_some() && options.mode.dataflow.is_some() {
            return Err(format!("option 'split' needs mode=calls, not mode={mode}"));
        }
        if options.splits.is_some() && options.lines {
            return Err("option 'split' cannot be combined with lines=on".to_owned());
        }
        if options.lines && !options.mode.calls {
            return Err(format!(
                "lines=on needs calls, which mode={mode} does not record (mode=calls+{mode} does)"
            ));
        }
        if given.contains(&"bytes") && options.bytes && !options.counts_bytes() {
            return Err(format!(
                "bytes=on needs mode=calls, loops, growth or results, not mode={mode}"
            ));
        }
        Ok(Parsed::Run(Box::new(options)))
    }

    /// Whether allocated bytes are counted: not by modes that make objects larger.
    pub fn counts_bytes(&self) -> bool {
        let adds_fields = self.mode.dataflow.is_some_and(|flow| flow.mode.adds_fields());
        self.bytes && !adds_fields && self.mode.metrics() == metrics::CALLS
    }

    /// How many metrics each calling context has in the profile; 0 without contexts.
    pub fn metrics(&self) -> u32 {
        if self.counts_bytes() { metrics::BYTES } else { self.mode.metrics() }
    }
}

/// Whether a label may have this name, which `subsume fleet` takes in conditions.
fn is_label_name(name: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    !name.is_empty() && name.chars().all(is_part)
}

fn count(key: &str, value: &str) -> Result<u64, String> {
    match value.parse() {
        Ok(number) if number > 0 => Ok(number),
        _ => Err(format!("{key}={value}: a number from 1 on is needed")),
    }
}

fn duration(key: &str, value: &str) -> Result<Duration, String> {
    parse_duration(value).ok_or_else(|| format!("{key}={value}: {DURATION}"))
}

/// A number with an optional unit.
fn with_unit(value: &str) -> Option<u64> {
    let (digits, unit) = match value.to_ascii_lowercase().as_bytes() {
        [.., b'k'] => (&value[..value.len() - 1], 1 << 10),
        [.., b'm'] => (&value[..value.len() - 1], 1 << 20),
        [.., b'g'] => (&value[..value.len() - 1], 1 << 30),
        _ => (value, 1),
    };
    digits.parse::<u64>().ok().and_then(|number| number.checked_mul(unit))
}

/// The value of a key with a limit, such as `example`.
fn number_with_unit(key: &str, value: &str, example: &str) -> Result<u64, String> {
    with_unit(value)
        .filter(|&number| number > 0)
        .ok_or_else(|| format!("{key}={value}: a number from 1 on is needed, such as {example}"))
}

/// A number of bytes with an optional unit.
fn size(value: &str) -> Result<u64, String> {
    with_unit(value)
        .filter(|&bytes| bytes >= COMMIT_FIRST)
        .ok_or_else(|| format!("max-memory={value}: a size from 1m on is needed, such as 500m"))
}

fn check_template(template: &str) -> Result<(), String> {
    let mut rest = template.chars();
    while let Some(c) = rest.next() {
        if c == '%' && !matches!(rest.next(), Some('p' | 't' | '%')) {
            return Err(format!(
                "out={template}: % must be followed by p (process id), t (start time) or %"
            ));
        }
    }
    Ok(())
}

/// Fills in `%p` with the process id and `%t` with the start time (UTC,
/// `yyyymmdd-hhmmss`, so that names sort by time).
pub fn expand(template: &str, process_id: u32, start_millis: u64) -> String {
    let mut path = String::with_capacity(template.len() + 16);
    let mut rest = template.chars();
    while let Some(c) = rest.next() {
        match (c, if c == '%' { rest.next() } else { None }) {
            ('%', Some('p')) => path.push_str(&process_id.to_string()),
            ('%', Some('t')) => path.push_str(&utc(start_millis)),
            ('%', Some(other)) => path.push(other),
            (other, _) => path.push(other),
        }
    }
    path
}

/// The time as it stands in names of files.
pub fn utc(millis: u64) -> String {
    let DateTime { year, month, day, hour, minute, second } = DateTime::from_millis(millis);
    format!("{year:04}{month:02}{day:02}-{hour:02}{minute:02}{second:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(text: &str) -> Options {
        match Options::parse(text) {
            Ok(Parsed::Run(options)) => *options,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn defaults() {
        let options = run("");
        assert_eq!(options.out, None);
        assert_eq!((options.mode, options.start), (Mode::default(), Start::Startup));
    }

    #[test]
    fn bytes_are_counted_where_calls_are() {
        for (text, counts) in [
            ("", true),
            ("bytes=on", true),
            ("mode=loops", true),
            ("mode=results", true),
            ("mode=calls+nulls", false),
            ("mode=typestate", false),
            ("bytes=off", false),
            ("mode=nulls", false),
            ("mode=copies", false),
        ] {
            assert_eq!(run(text).counts_bytes(), counts, "{text}");
        }
        let numbers = ["", "bytes=off", "mode=copies", "mode=costs"].map(|t| run(t).metrics());
        assert_eq!(numbers, [metrics::BYTES, metrics::CALLS, metrics::COPIES, metrics::NONE]);
    }

    #[test]
    fn a_timetable() {
        let options = run("dump-every=5m,stop-after=30s");
        let every = Duration::from_secs(300);
        assert_eq!(options.dumps, Some(Dumps { every, keep: 60 }));
        assert_eq!(options.stop_after, Some(Duration::from_secs(30)));
        assert_eq!(run("dump-every=1,dump-keep=2").dumps.map(|dumps| dumps.keep), Some(2));
        for (text, message) in [
            ("dump-keep=2", "option 'dump-keep' needs dump-every"),
            ("dump-every=1s,dump-keep=0", "dump-keep=0: a number from 1 on is needed"),
            (
                "stop-after=soon",
                "stop-after=soon: a time is a number above 0 with s, m or h, or of seconds, such \
                 as 30s",
            ),
        ] {
            assert_eq!(Options::parse(text).err().as_deref(), Some(message));
        }
    }

    #[test]
    fn every_key() {
        let options = run("out=a%t.subsume,mode=calls,start=off,include=a.*;b.C,exclude=a.b.*");
        assert_eq!(options.out.as_deref(), Some("a%t.subsume"));
        assert_eq!(options.start, Start::Off);
        assert!(options.classes.wants("a/X") && options.classes.wants("b/C"));
        assert!(!options.classes.wants("a/b/X") && !options.classes.wants("c/X"));
        let options = run("max-contexts=1000,max-memory=1G,control=off");
        assert_eq!((options.max_contexts, options.max_memory), (Some(1000), Some(1 << 30)));
        assert!(!options.control);
        assert_eq!(run("max-memory=5000000").max_memory, Some(5_000_000));
        let accesses = |text| run(text).mode.dataflow.map(|flow| flow.accesses);
        assert_eq!(accesses("mode=loops,max-accesses=4k"), Some(4096));
        assert_eq!(accesses("max-accesses=70,mode=growth"), Some(70));
        assert_eq!(accesses("mode=loops"), Some(1 << 24));
        let most_calls = |text| run(text).mode.dataflow.map(|flow| flow.most_calls);
        assert_eq!(most_calls("mode=results,max-calls=1m"), Some(1 << 20));
        assert_eq!(most_calls("mode=results"), Some(1 << 16));
        let options = run("label.version=1.2=b,labels=environment,label.x-y.z=ä b");
        let labels = [("version", "1.2=b"), ("x-y.z", "ä b")];
        assert_eq!(options.labels, labels.map(|(name, value)| (name.into(), value.into())));
        assert!(options.labels_of_environment && !run("labels=none").labels_of_environment);
        assert_eq!(run("compilers=c1").compilers, Compilers::C1);
        assert_eq!(run("compilers=both").compilers, Compilers::Usual);
        assert_eq!(run("compilers=hottest").compilers, Compilers::Hottest);
        assert_eq!(run("").compilers, Compilers::Hottest);
    }

    #[test]
    fn wrong_words_are_named() {
        for (text, words) in [
            ("outt=x", "unknown option 'outt'"),
            ("mode=copies,mode=costs", "option 'mode' is given twice"),
            ("start=later", "unknown value 'later' for start"),
            ("mode=copy", "unknown mode 'copy'"),
            ("out", "option 'out' needs a value"),
            ("lines=on,mode=costs", "lines=on needs calls"),
            ("bytes=on,mode=copies", "loops, growth or results, not mode=copies"),
            ("bytes=yes", "unknown value 'yes' for bytes"),
            ("lines=yes", "unknown value 'yes' for lines"),
            ("out=%x", "% must be followed by"),
            ("max-contexts=0", "max-contexts=0: a number from 1 on"),
            ("max-contexts=many", "max-contexts=many: a number from 1 on"),
            ("max-memory=1023k", "max-memory=1023k: a size from 1m on"),
            ("max-memory=99999999999g", "a size from 1m on"),
            ("max-memory=mé", "a size from 1m on"),
            ("mode=loops,protocol=jdbc", "option 'protocol' needs mode=typestate"),
            ("mode=typestate,protocol=/no/such/file", "protocol=/no/such/file: "),
            ("mode=loops,max-accesses=0", "max-accesses=0: a number from 1 on"),
            ("mode=costs,max-accesses=9", "option 'max-accesses' needs mode=loops or mode=growth"),
            ("max-accesses=9", "option 'max-accesses' needs mode=loops or mode=growth"),
            ("mode=results,max-calls=x", "max-calls=x: a number from 1 on is needed, such as 64k"),
            ("mode=loops,max-calls=9", "option 'max-calls' needs mode=results"),
            ("mode=costs,deep=a.B.c", "option 'deep' needs mode=results"),
            ("split=jdbc,mode=costs", "option 'split' needs mode=calls, not mode=costs"),
            ("split=jdbc,lines=on", "option 'split' cannot be combined with lines=on"),
            ("split-texts=5", "option 'split-texts' needs split"),
            ("split=jdbc,split-texts=0", "split-texts=0: a number from 1 on is needed"),
            ("split=odbc", "split=odbc: write CLASS.METHOD(N)"),
            ("label.version=1,label.version=2", "option 'label.version' is given twice"),
            ("label.version=", "option 'label.version' needs a value"),
            ("label.=1", "'' is not the name of a label"),
            ("label.a b=1", "'a b' is not the name of a label"),
            ("label=1", "unknown option 'label'"),
            ("labels=all", "unknown value 'all' for labels (known: environment, none)"),
            ("compilers=c2", "unknown value 'c2' for compilers (known: hottest, c1, both)"),
            ("control=maybe", "unknown value 'maybe' for control"),
        ] {
            let message = Options::parse(text).expect_err("must be refused");
            assert!(message.contains(words), "{message}");
            assert!(!message.contains('\n'));
        }
        assert!(matches!(Options::parse("out=x,help"), Ok(Parsed::Help)));
    }

    #[test]
    fn template() {
        // 2024-02-29 12:34:56 UTC
        let leap_day = 1_709_210_096_000;
        assert_eq!(expand("a-%p-%t-%%.s", 42, leap_day), "a-42-20240229-123456-%.s");
        assert_eq!(utc(0), "19700101-000000");
    }
}
