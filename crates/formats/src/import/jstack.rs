//! Thread dumps, as `jstack`, `jcmd Thread.print`, `jcmd Thread.dump_to_file` and
//! `kill -QUIT` write them:
//! each is a sample of all threads, also of those that wait, and most do.

use std::path::Path;

use profile::Profile;
use rustc_hash::FxHashMap;

use crate::import::allowance::Allowance;
use crate::import::builder::{Builder, Paths};
use crate::import::input::read_text;
use crate::import::thread_dump::{self, Thread};
use base::number::grouped;
use tree::error::{Error, Result};

/// What profiles say that they were imported from.
pub const FORMAT: &str = "thread dumps";

/// Name of the metric: in how many dumps a thread was seen there.
pub const SAMPLES: &str = "samples";

/// Which stacks of a dump are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Threads {
    /// Those of threads that run.
    Running,
    /// All.
    All,
}

/// What was read.
#[derive(Debug)]
pub struct Dumps {
    /// The samples.
    pub profile: Profile,
    /// Stacks left out because their threads waited.
    pub waiting: u64,
}

/// Reads a series of dumps, in one file or in several. Threads of the same
/// name become one.
///
/// # Errors
/// If there is no stack in a file, or no thread runs in any.
pub fn read(files: &[impl AsRef<Path>], wanted: Threads) -> Result<Dumps> {
    let mut samples = Samples {
        builder: Builder::new(&[SAMPLES.to_owned()]),
        threads: Vec::new(),
        by_name: FxHashMap::default(),
        allowance: Allowance::default(),
        wanted,
        waiting: 0,
    };
    for path in files {
        let path = path.as_ref();
        let text = read_text(path, &samples.allowance)?;
        let mut found = false;
        let mut add = |thread: Thread<'_>| {
            let added = samples.add(&thread).map_err(|error| error.of_file(path))?;
            found |= added;
            Ok::<_, Error>(())
        };
        if thread_dump::is_json(&text) {
            let threads = thread_dump::threads_of_json(&text);
            let no_dump = || Error::new(format!("{}: no thread dump", path.display()));
            threads.ok_or_else(no_dump)?.into_iter().try_for_each(&mut add)?;
        } else {
            threads_of_text(&text, &mut add)?;
        }
        if !found {
            return Err(Error::new(format!("{}: no thread with a stack in it", path.display())));
        }
    }
    let Samples { mut builder, threads, waiting, .. } = samples;
    if threads.is_empty() && waiting > 0 {
        return Err(Error::new(format!(
            "all threads with a stack ({}) wait; --waiting takes them, too",
            grouped(waiting)
        )));
    }
    for (name, paths) in threads {
        builder.thread(name, &paths)?;
    }
    Ok(Dumps { profile: builder.finish(FORMAT), waiting })
}

/// The threads of a text, as they come: heads begin a line, their stacks end with an
/// empty one.
fn threads_of_text<'t>(
    text: &'t str,
    mut each: impl FnMut(Thread<'t>) -> Result<()>,
) -> Result<()> {
    let mut lines = text.lines().peekable();
    while let Some(line) = lines.next() {
        let head = thread_dump::head(line).or_else(|| Some((thread_name(line)?, "")));
        let Some((name, state)) = head else { continue };
        let mut thread = Thread { name: name.into(), state: state.into(), stack: Vec::new() };
        while let Some(line) = lines.next_if(|line| !line.trim().is_empty()) {
            if let Some(state) = self::state(line) {
                thread.state = state.into();
            } else {
                thread.stack.push(line.into());
            }
        }
        each(thread)?;
    }
    Ok(())
}

/// What has been read so far.
struct Samples {
    builder: Builder,
    threads: Vec<(String, Paths)>,
    by_name: FxHashMap<String, usize>,
    allowance: Allowance,
    wanted: Threads,
    waiting: u64,
}

impl Samples {
    /// Adds the sample of a thread; false if it has no stack.
    fn add(&mut self, thread: &Thread<'_>) -> Result<bool> {
        // The innermost frame comes first.
        let frames: Vec<&str> = thread.stack.iter().filter_map(|line| frame(line)).collect();
        let Some(innermost) = frames.first() else { return Ok(false) };
        let waits = match &*thread.state {
            "RUNNABLE" => WAITING_NATIVES.contains(innermost),
            "" => WAITING_NATIVES.contains(innermost) || WAITING.contains(innermost),
            _ => true,
        };
        if self.wanted == Threads::Running && waits {
            self.waiting += 1;
            return Ok(true);
        }
        let known = *self.by_name.entry(thread.name.to_string()).or_insert_with_key(|name| {
            self.threads.push((name.clone(), Paths::new(1, &self.allowance)));
            self.threads.len() - 1
        });
        let paths = &mut self.threads[known].1;
        let mut at = Paths::ROOT;
        for frame in frames.iter().rev() {
            at = paths.child(at, self.builder.frame(frame))?;
        }
        paths.add(at, 0, 1)?;
        Ok(true)
    }
}

/// Methods in which threads wait, for dumps that do not say in which state they are.
const WAITING: [&str; 12] = [
    "java.lang.Object.wait",
    "java.lang.Object.wait0",
    "java.lang.Thread.sleep",
    "java.lang.Thread.sleep0",
    "java.lang.Thread.sleepNanos0",
    "java.lang.VirtualThread.park",
    "java.lang.VirtualThread.parkNanos",
    "java.lang.VirtualThread.parkOnCarrierThread",
    "java.lang.VirtualThread.yieldContinuation",
    "jdk.internal.misc.Unsafe.park",
    "jdk.internal.vm.Continuation.run",
    "jdk.internal.vm.Continuation.yield",
];

/// Natives in which threads wait, though the JVM calls them runnable: it does not
/// know what native code does.
const WAITING_NATIVES: [&str; 20] = [
    "java.lang.ProcessHandleImpl.waitForProcessExit0",
    "java.lang.ref.Reference.waitForReferencePendingList",
    "java.net.DualStackPlainSocketImpl.accept0",
    "java.net.DualStackPlainSocketImpl.waitForConnect",
    "java.net.PlainDatagramSocketImpl.peekData",
    "java.net.PlainDatagramSocketImpl.receive0",
    "java.net.PlainSocketImpl.socketAccept",
    "java.net.PlainSocketImpl.socketConnect",
    "java.net.SocketInputStream.socketRead0",
    "sun.nio.ch.EPoll.wait",
    "sun.nio.ch.EPollArrayWrapper.epollWait",
    "sun.nio.ch.KQueue.poll",
    "sun.nio.ch.KQueueArrayWrapper.kevent0",
    "sun.nio.ch.Net.accept",
    "sun.nio.ch.Net.poll",
    "sun.nio.ch.PollArrayWrapper.poll0",
    "sun.nio.ch.SocketDispatcher.read0",
    "sun.nio.ch.WEPoll.wait",
    "sun.nio.ch.WindowsSelectorImpl$SubSelector.poll0",
    "sun.nio.fs.LinuxWatchService.poll",
];

/// `WAITING` in `   java.lang.Thread.State: WAITING (parking)`.
fn state(line: &str) -> Option<&str> {
    let state = line.trim_start().strip_prefix("java.lang.Thread.State:")?;
    state.split_whitespace().next()
}

/// The name in `"main" #1 prio=5 ...`.
fn thread_name(line: &str) -> Option<&str> {
    let rest = line.strip_prefix('"')?;
    // Names may hold quotation marks, what follows them does not.
    let (name, rest) = rest.rsplit_once('"')?;
    (rest.is_empty() || rest.starts_with(' ')).then_some(name)
}

/// `java.lang.Object.wait` in `at java.lang.Object.wait(java.base@17/Native Method)`; some
/// dumps leave `at` out.
fn frame(line: &str) -> Option<&str> {
    let line = line.trim_start();
    let name = match line.strip_prefix("at ") {
        Some(call) => call.split_once('(')?.0,
        // Other lines have words in front of what they are about.
        None => line.split_once('(').map(|(name, _)| name).filter(|name| !name.contains(' '))?,
    };
    // `app//`, `java.base@17.0.15/` and the like stand before the class.
    let plain = name.rfind('/').map_or(name, |at| {
        let hidden = name[at + 1..].starts_with("0x");
        if hidden { name } else { &name[at + 1..] }
    });
    (!plain.is_empty()).then_some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines() {
        assert_eq!(thread_name("\"main\" #1 prio=5 os_prio=0"), Some("main"));
        assert_eq!(thread_name("\"a \"b\" c\" daemon prio=5"), Some("a \"b\" c"));
        assert_eq!(thread_name("   java.lang.Thread.State: RUNNABLE"), None);
        for (line, expected) in [
            (
                "\tat java.lang.Object.wait(java.base@17.0.15/Native Method)",
                Some("java.lang.Object.wait"),
            ),
            ("\tat app//a.B.c(B.java:3)", Some("a.B.c")),
            ("\tat java.base@17/java.lang.Thread.run(Thread.java:1)", Some("java.lang.Thread.run")),
            ("      VT.main(VT.java:9)", Some("VT.main")),
            ("\t- locked <0x00> (a java.lang.Object)", None),
            ("   java.lang.Thread.State: WAITING (on object monitor)", None),
        ] {
            assert_eq!(frame(line), expected, "{line}");
        }
    }
}
