//! Thread dumps, as `jstack`, `jcmd Thread.print` and `kill -QUIT` write them:
//! each is a sample of all threads, also of those that wait, and most do.

use std::path::Path;

use profile::Profile;

use crate::error::{Error, Result};
use crate::import::builder::{Builder, Paths};
use crate::import::input::read_text;
use crate::report::number::grouped;

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
    let mut waiting = 0;
    let mut builder = Builder::new(&[SAMPLES.to_owned()]);
    let mut threads: Vec<(String, Paths)> = Vec::new();
    for path in files {
        let path = path.as_ref();
        let text = read_text(path)?;
        let mut found = false;
        let mut lines = text.lines().peekable();
        while let Some(line) = lines.next() {
            let Some(name) = thread_name(line) else { continue };
            // The innermost frame comes first.
            let (mut frames, mut is_runnable) = (Vec::new(), true);
            while let Some(line) = lines.next_if(|line| !line.trim().is_empty()) {
                frames.extend(frame(line));
                is_runnable &= state(line).is_none_or(|state| state == "RUNNABLE");
            }
            let Some(innermost) = frames.first() else { continue };
            found = true;
            let runs = is_runnable && !WAITING_NATIVES.contains(&innermost.as_str());
            if wanted == Threads::Running && !runs {
                waiting += 1;
                continue;
            }
            let known = threads.iter().position(|(known, _)| known == name);
            let known = known.unwrap_or_else(|| {
                threads.push((name.to_owned(), Paths::new(1)));
                threads.len() - 1
            });
            let paths = &mut threads[known].1;
            let mut at = Paths::ROOT;
            for frame in frames.iter().rev() {
                at = paths.child(at, builder.frame(frame))?;
            }
            paths.add(at, 0, 1)?;
        }
        if !found {
            return Err(Error::new(format!("{}: no thread with a stack in it", path.display())));
        }
    }
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

/// `java.lang.Object.wait` in `at java.lang.Object.wait(java.base@17/Native Method)`.
fn frame(line: &str) -> Option<String> {
    let call = line.trim_start().strip_prefix("at ")?;
    let name = &call[..call.find('(')?];
    // `app//`, `java.base@17.0.15/` and the like stand before the class.
    let plain = name.rfind('/').map_or(name, |at| {
        let hidden = name[at + 1..].starts_with("0x");
        if hidden { name } else { &name[at + 1..] }
    });
    (!plain.is_empty()).then(|| plain.to_owned())
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
            ("\t- locked <0x00> (a java.lang.Object)", None),
            ("   java.lang.Thread.State: WAITING (on object monitor)", None),
        ] {
            assert_eq!(frame(line).as_deref(), expected, "{line}");
        }
    }
}
