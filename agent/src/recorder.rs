//! One recording: the profile's file, and what goes into it.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use parking_lot::Mutex;
use profile::metadata::Record;
use profile::{Completeness, key, layout};

use crate::arena::{Arena, check_replaceable, create_private};
use crate::catalogue::Catalogue;
use crate::instrument::calls::{Rewriter, Workspace};
use crate::journal::Journal;
use crate::options::{Options, expand};
use crate::trees::{Named, Trees};

/// A class that the JVM is about to parse.
#[derive(Debug)]
pub struct Arrival<'a> {
    /// Its internal name, if the JVM knows it already.
    pub name: Option<&'a [u8]>,
    /// Its class file.
    pub bytes: &'a [u8],
    /// True if the boot loader loads it.
    pub boot: bool,
}

/// What the JVM is to parse instead.
#[derive(Debug)]
pub struct Transformed {
    /// The class file.
    pub bytes: Vec<u8>,
    /// True if methods lost their intrinsics, which the JVM comments on.
    pub intrinsics_removed: bool,
}

/// How the JVM ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// After `main` and the last other thread, or by `System.exit`.
    Orderly,
    /// By `Runtime.halt`, in the middle of everything.
    Halted,
}

/// A recording.
#[derive(Debug)]
pub struct Recorder {
    /// What the user asked for.
    pub options: Options,
    /// The memory that probes write to.
    pub arena: &'static Arena,
    /// Numbers of classes and methods.
    pub catalogue: Catalogue,
    path: PathBuf,
    journal: Journal,
    trees: Trees,
    recording: AtomicBool,
    /// Hashes of what is listed as not instrumented.
    skipped: Mutex<HashSet<u64>>,
    /// Memory for rewriting that no thread uses right now.
    workspaces: Mutex<Vec<Workspace>>,
}

impl Recorder {
    /// Creates the profile's file and notes what is known of the run.
    ///
    /// # Errors
    /// One line that says which file could not be created and why.
    pub fn create(options: Options) -> Result<Self, String> {
        let process_id = std::process::id();
        let start_millis = now_millis();
        let path = PathBuf::from(expand(&options.out, process_id, start_millis));
        // The program may change its folder; the profile stays where it was meant.
        let path = std::path::absolute(&path).unwrap_or(path);
        let arena = Arena::create(&path).map_err(|error| {
            let folder = path.parent().filter(|folder| !folder.exists());
            match folder {
                Some(folder) => {
                    format!(
                        "cannot create {}: there is no folder {}",
                        path.display(),
                        folder.display()
                    )
                }
                None => format!("cannot create {}: {error}", path.display()),
            }
        })?;
        let recorder = Self {
            options,
            // Instrumented code keeps the address until the process ends.
            arena: Box::leak(Box::new(arena)),
            catalogue: Catalogue::default(),
            path,
            journal: Journal::default(),
            trees: Trees::default(),
            recording: AtomicBool::new(false),
            skipped: Mutex::default(),
            workspaces: Mutex::default(),
        };
        recorder.write_header();
        recorder.note(key::WRITER, concat!("subsume agent ", env!("CARGO_PKG_VERSION")));
        recorder.note(key::PROCESS_ID, &process_id.to_string());
        recorder.note(key::START_MILLIS, &start_millis.to_string());
        recorder.note(key::COMMAND_LINE, &command_line());
        Ok(recorder)
    }

    fn write_header(&self) {
        let magic = layout::MAGIC;
        let half = |range: std::ops::Range<usize>| {
            magic[range].iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte))
        };
        let store = |offset, word| self.arena.header_word(offset).store(word, Ordering::Relaxed);
        store(
            layout::header::VERSION,
            u32::from(layout::FORM_LIVE) << 16 | u32::from(layout::VERSION),
        );
        store(layout::header::BYTE_ORDER, layout::BYTE_ORDER_MARK);
        store(layout::header::MAGIC + 4, half(4..8));
        store(layout::header::MAGIC, half(0..4));
    }

    /// Notes a fact about the run; see [`profile::key`].
    pub fn note(&self, key: &str, value: &str) {
        self.append(&Record::RunInfo { key: key.to_owned(), value: value.to_owned() });
    }

    /// Lists something that is not instrumented; an empty method means the class.
    pub fn skip(&self, class: &str, method: &str, reason: &str) {
        let mut hasher = DefaultHasher::new();
        (class, method, reason).hash(&mut hasher);
        // A class is looked at again whenever recording is switched on.
        if !self.skipped.lock().insert(hasher.finish()) {
            return;
        }
        self.append(&Record::Skipped {
            class: class.to_owned(),
            method: method.to_owned(),
            reason: reason.to_owned(),
        });
    }

    /// Appends a record to the profile's metadata; false if there is no room.
    pub fn append(&self, record: &Record) -> bool {
        self.journal.append(self.arena, record)
    }

    /// Notes how large the nodes of a method are.
    pub fn set_node_words(&self, method: u32, words: u32) {
        self.trees.set_node_words(method, words);
    }

    /// A tree for a thread of this name; `None` if there is no room.
    pub fn take_tree(&self, thread_name: &str) -> Option<u32> {
        let named = self.trees.take(self.arena, thread_name)?;
        let tree = named.tree;
        self.tell_name(named);
        Some(tree)
    }

    /// Names a tree after the thread that uses it.
    pub fn name_tree(&self, tree: u32, thread_name: &str) {
        if let Some(named) = self.trees.rename(tree, thread_name) {
            self.tell_name(named);
        }
    }

    fn tell_name(&self, named: Named) {
        self.append(&Record::TreeName {
            tree: named.tree,
            threads: named.threads,
            name: named.name,
        });
    }

    /// The thread of this tree has ended.
    pub fn release_tree(&self, tree: u32) {
        self.trees.release(tree);
    }

    /// Address of the slot that a thread's first callee hangs below.
    pub fn root_slot(&self, tree: u32) -> u64 {
        self.arena.base_address() + u64::from(tree + layout::tree::ROOT_SLOT) * 4
    }

    /// A new node, for the probes' slow path.
    pub fn create_node(&self, tree: u32, slot: u32, method: u32) -> u32 {
        self.trees.create_node(self.arena, tree, slot, method)
    }

    /// The node that takes counts of a method that nobody will read.
    pub fn overflow_node(&self, method: u32) -> u32 {
        self.trees.overflow_node(self.arena, method)
    }

    /// Whether classes are to be instrumented.
    pub fn is_recording(&self) -> bool {
        self.recording.load(Ordering::Acquire)
    }

    /// Says whether classes are to be instrumented from now on.
    pub fn set_recording(&self, on: bool) {
        self.recording.store(on, Ordering::Release);
    }

    /// What the JVM is to parse instead of a class; `None` to take it as it is.
    pub fn transform(&self, arrival: &Arrival<'_>) -> Option<Transformed> {
        Rewriter::new(self).transform(arrival)
    }

    /// A hidden class with probes; `None` to take it as it is. The JVM shows
    /// such classes to no load hook, so their bytes come another way.
    pub fn hidden_class(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        Rewriter::new(self).hidden_class(bytes)
    }

    /// Memory for rewriting a class.
    pub fn take_workspace(&self) -> Workspace {
        self.workspaces.lock().pop().unwrap_or_default()
    }

    /// Gives it back for the next class.
    pub fn give_back(&self, workspace: Workspace) {
        self.workspaces.lock().push(workspace);
    }

    /// Starts the thread that keeps memory ready.
    pub fn start_growing_ahead(&self) {
        let arena = self.arena;
        // Without the thread, the program's own threads wait for the disk.
        let _ = std::thread::Builder::new()
            .name("subsume".to_owned())
            .spawn(move || arena.grow_ahead());
    }

    /// Writes what has been recorded until now to another file.
    ///
    /// # Errors
    /// When the file cannot be written; what was there before stays.
    pub fn dump(&self, path: &Path) -> io::Result<()> {
        self.write_compact(path, Completeness::Snapshot)
    }

    /// Ends the recording: the live file is replaced by its compact form. If
    /// that fails (a full disk), the live one stays, and it is as good.
    pub fn finish(&self, ending: Ending) {
        let end_millis = now_millis();
        let completeness = match ending {
            Ending::Orderly => {
                let reason = "the JVM ended".to_owned();
                self.append(&Record::End { reason, end_millis });
                Completeness::Complete
            }
            Ending::Halted => Completeness::CutShort,
        };
        self.note(key::END_MILLIS, &end_millis.to_string());
        let written = self.write_compact(&self.path, completeness);
        let path = self.path.display();
        match (self.arena.refusal(), written) {
            (Some(reason), _) => {
                eprintln!("subsume: {path} lacks what came after the disk was full: {reason}");
            }
            (None, Err(error)) => eprintln!("subsume: {path} stays in its larger form: {error}"),
            (None, Ok(())) => {}
        }
        self.arena.stop_growing_ahead();
    }

    fn write_compact(&self, path: &Path, completeness: Completeness) -> io::Result<()> {
        check_replaceable(path)?;
        // Written beside its place and moved there, so that the name always stands
        // for a whole profile.
        let mut name = path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}.tmp", std::process::id()));
        let temporary = path.with_file_name(name);
        let written = self
            .write_to(&temporary, completeness)
            .and_then(|()| std::fs::rename(&temporary, path));
        if written.is_err() {
            // May not exist; there is nothing more to be done about it.
            let _ = std::fs::remove_file(&temporary);
        }
        written
    }

    fn write_to(&self, path: &Path, completeness: Completeness) -> io::Result<()> {
        let mut out = BufWriter::with_capacity(1 << 18, create_private(path)?);
        profile::write_compact_from_live(self.arena, completeness, &mut out)
            .map_err(io::Error::other)?;
        out.flush()
    }
}

fn now_millis() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// The process's command line as the system knows it, quoted where a shell
/// would need it.
fn command_line() -> String {
    let raw = std::fs::read("/proc/self/cmdline").unwrap_or_default();
    let plain = |c: char| c.is_alphanumeric() || "-_./:=,+@%".contains(c);
    raw.split(|&byte| byte == 0)
        .map(String::from_utf8_lossy)
        .filter(|argument| !argument.is_empty())
        .map(|argument| {
            if argument.chars().all(plain) {
                argument.into_owned()
            } else {
                format!("'{}'", argument.replace('\'', r"'\''"))
            }
        })
        .collect::<Vec<_>>()
        .join(" ")
}
