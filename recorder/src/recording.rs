//! One recording: the profile's file, and what goes into it.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use base::whole_file;
use parking_lot::Mutex;
use profile::metadata::Record;
use profile::{Completeness, key, layout};

use crate::catalogue::{Catalogue, Horizon};
use crate::compaction;
use crate::dataflow::edges::Edge;
use crate::dataflow::graph::Graph;
use crate::dataflow::mode::Flow;
use crate::dataflow::numbers::FieldName;
use crate::dataflow::tags::Tags;
use crate::instrument::rewriter::{Rewriter, Workspace};
use crate::journal::Journal;
use crate::options::{Options, expand};
use crate::trees::{MostContexts, Named, NodeShape, Place, Trees};
use arena::{Arena, Shortage};

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
    /// The class file that takes the place of a program's `subsume.Profile`.
    pub profile_api: &'static [u8],
    /// The memory that probes write to.
    pub arena: &'static Arena,
    /// Numbers of classes and methods.
    pub catalogue: Catalogue,
    path: PathBuf,
    /// Why nothing is recorded, if so.
    idle: Option<String>,
    journal: Journal,
    trees: Trees,
    /// Tags of objects, if data flow is recorded.
    pub tags: Option<Tags>,
    /// What is kept of data flow, if that is recorded.
    graph: Option<Graph>,
    recording: AtomicBool,
    /// Whether code of the JDK may call the runtime class.
    has_runtime: AtomicBool,
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
    pub fn create(options: &Options, profile_api: &'static [u8]) -> Result<Self, String> {
        let start_millis = now_millis();
        let path = PathBuf::from(expand(&options.out, std::process::id(), start_millis));
        // The program may change its folder; the profile stays where it was meant.
        let path = std::path::absolute(&path).unwrap_or(path);
        let refuse = |error: io::Error| {
            let folder = path.parent().filter(|folder| !folder.exists());
            let path = path.display();
            match folder {
                Some(folder) => {
                    format!("cannot create {path}: there is no folder {}", folder.display())
                }
                None => format!("cannot create {path}: {error}"),
            }
        };
        let temporary = whole_file::beside(&path).map_err(refuse)?;
        let arena = Arena::create(&temporary, options.max_memory).map_err(refuse)?;
        let recorder = Self::new(options, profile_api, arena, path.clone(), None);
        recorder.write_header();
        recorder.note(key::WRITER, concat!("subsume agent ", env!("CARGO_PKG_VERSION")));
        recorder.note(key::PROCESS_ID, &std::process::id().to_string());
        recorder.note(key::START_MILLIS, &start_millis.to_string());
        recorder.note(key::COMMAND_LINE, &command_line());
        if let Some(tags) = &recorder.tags {
            tags.reserve_rest(&|record| {
                recorder.append(record);
            });
            tags.counters.prepare(recorder.arena);
        }
        // From now on it can be read, whatever happens. Readers of an older file
        // of that name keep what they have.
        std::fs::rename(&temporary, &path).map_err(|error| {
            // Nobody else knows it.
            let _ = std::fs::remove_file(&temporary);
            refuse(error)
        })?;
        Ok(recorder)
    }

    /// A recorder that never records, for the given reason: what the program
    /// expects of the agent is there all the same.
    ///
    /// # Errors
    /// When not even that is possible.
    pub fn idle(options: &Options, profile_api: &'static [u8], reason: String) -> io::Result<Self> {
        let arena = Arena::in_memory()?;
        Ok(Self::new(options, profile_api, arena, PathBuf::new(), Some(reason)))
    }

    fn new(
        options: &Options,
        profile_api: &'static [u8],
        arena: Arena,
        path: PathBuf,
        idle: Option<String>,
    ) -> Self {
        // Instrumented code keeps the address until the process ends.
        let arena: &'static Arena = Box::leak(Box::new(arena));
        Self {
            options: options.clone(),
            profile_api,
            arena,
            catalogue: Catalogue::default(),
            path,
            idle,
            journal: Journal::default(),
            trees: Trees::default(),
            tags: options.mode.flow.filter(Flow::tags_objects).map(Tags::new),
            graph: options.mode.flow.and_then(|flow| Graph::new(arena, flow)),
            recording: AtomicBool::new(false),
            has_runtime: AtomicBool::new(false),
            skipped: Mutex::default(),
            workspaces: Mutex::default(),
        }
    }

    /// Why nothing is recorded, if so.
    pub fn idle_reason(&self) -> Option<&str> {
        self.idle.as_deref()
    }

    /// Notes that the runtime class is there.
    pub fn set_runtime(&self) {
        self.has_runtime.store(true, Ordering::Release);
    }

    /// Whether code of the JDK may call the runtime class.
    pub fn has_runtime(&self) -> bool {
        self.has_runtime.load(Ordering::Acquire)
    }

    /// Where the profile is written.
    pub fn path(&self) -> &Path {
        &self.path
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
        store(layout::header::METRICS, self.options.mode.metrics());
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
        let _view = self.arena.hold_view();
        self.journal.append(self.arena, record)
    }

    /// What is kept of data flow, if that is recorded.
    pub fn graph(&self) -> Option<&Graph> {
        self.graph.as_ref()
    }

    /// Address of the heads of a tree's table of edges; without room, of one that
    /// stays empty.
    pub fn edge_heads(&self, tree: u32) -> u64 {
        let heads = self
            .graph
            .as_ref()
            .map_or(0, |graph| graph.heads(self.arena, tree).unwrap_or_else(|| graph.sink()));
        self.arena.base_address() + u64::from(heads) * 4
    }

    /// A new edge of data flow in a tree's table.
    pub fn create_edge(&self, tree: u32, edge: Edge) -> u32 {
        let Some(graph) = &self.graph else { return 0 };
        if !self.is_recording() || tree == 0 || tree >= self.arena.overflow() {
            return graph.sink();
        }
        let _view = self.arena.hold_view();
        graph.create_edge(self.arena, tree, edge)
    }

    /// Counts an edge of data flow once more in a tree's table.
    pub fn count_edge(&self, tree: u32, edge: Edge) {
        if let Some(graph) = &self.graph
            && self.is_recording()
            && tree != 0
            && tree < self.arena.overflow()
        {
            let _view = self.arena.hold_view();
            graph.count_edge(self.arena, tree, edge);
        }
    }

    /// Number of an instance field of a class with this internal name.
    pub fn field_number(&self, class: &str, name: &str, descriptor: &str) -> u32 {
        let Some(graph) = &self.graph else { return 0 };
        let field = FieldName {
            class: class.as_bytes(),
            name: name.as_bytes(),
            descriptor: descriptor.as_bytes(),
            is_static: false,
        };
        graph.numbers.field(field, |record| {
            self.append(record);
        })
    }

    /// Number of a store of a field by a call that stores into any.
    /// Without a descriptor the value is as large as the elements that the call
    /// stores.
    pub fn store_of_field(&self, store: u32, field: u32, descriptor: Option<&str>) -> u32 {
        let Some(graph) = &self.graph else { return 0 };
        let bytes = descriptor.map(|descriptor| graph.bytes_of(descriptor.as_bytes()));
        graph.numbers.store_of_field(store, field, bytes, |record| {
            self.append(record);
        })
    }

    /// The words that lead to the pages of a tree's counters of basic blocks.
    pub fn ways_to_counters(&self, tree: u32) -> u64 {
        let tables = self.graph.as_ref().and_then(|graph| graph.costs.as_ref());
        tables.map_or(0, |tables| tables.ways(tree))
    }

    /// The counters of a method's basic blocks in a slot, for a receiver.
    pub fn block_counters(&self, tree: u32, which: (u32, u32, u32)) -> u32 {
        let tables = self.graph.as_ref().and_then(|graph| graph.costs.as_ref());
        let is_kept = self.is_recording() && tree != 0 && tree < self.arena.overflow();
        let _view = self.arena.hold_view();
        tables.map_or(0, |tables| tables.counters(self.arena, tree, which, is_kept))
    }

    /// Writes down a shadow that was consumed; false while recording is off.
    pub fn keep_consumed(&self, shadow: u64) -> bool {
        let Some(graph) = self.graph.as_ref().filter(|_| self.is_recording()) else {
            return false;
        };
        let _view = self.arena.hold_view();
        graph.keep_consumed(self.arena, shadow);
        true
    }

    /// Notes what the nodes of a method are like.
    pub fn set_shape(&self, method: u32, shape: NodeShape) {
        self.trees.set_shape(method, shape);
    }

    /// A tree for a thread of this name; `None` if there is no room.
    pub fn take_tree(&self, thread_name: &str) -> Option<u32> {
        let _view = self.arena.hold_view();
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
        if !self.is_recording() {
            return self.trees.unread_node(self.arena, method);
        }
        let _view = self.arena.hold_view();
        let most = MostContexts {
            count: self.options.max_contexts.unwrap_or(u64::MAX),
            end_all: self.graph.is_none(),
        };
        self.trees.create_node(self.arena, Place { tree, slot, method }, most)
    }

    /// The node that takes counts of a method while recording is off.
    pub fn unread_node(&self, method: u32) -> u32 {
        self.trees.unread_node(self.arena, method)
    }

    /// Whether classes are to be instrumented.
    pub fn is_recording(&self) -> bool {
        self.recording.load(Ordering::Acquire)
    }

    /// From now on what probes count is kept, and classes are to be
    /// instrumented. False if that is not possible.
    pub fn begin(&self) -> bool {
        if self.idle.is_some() || self.arena.attach_program().is_err() {
            return false;
        }
        self.recording.store(true, Ordering::Release);
        true
    }

    /// From now on what probes still count is not kept, and classes are to stay
    /// as they are.
    pub fn end(&self) {
        // If the system refuses, frames that still have probes add to what was
        // recorded until they return.
        let _ = self.arena.detach_program();
        self.recording.store(false, Ordering::Release);
    }

    /// What the JVM is to parse instead of a class; `None` to take it as it is.
    pub fn transform(&self, arrival: &Arrival<'_>) -> Option<Transformed> {
        self.transform_as_of(arrival, Horizon::NOW)
    }

    /// As [`Recorder::transform`], with what was known of other classes at a
    /// certain time, so that it does not matter when this is done.
    pub fn transform_as_of(&self, arrival: &Arrival<'_>, horizon: Horizon) -> Option<Transformed> {
        Rewriter::new(self, horizon).transform(arrival)
    }

    /// A hidden class with probes; `None` to take it as it is. The JVM shows
    /// such classes to no load hook, so their bytes come another way.
    pub fn hidden_class(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        Rewriter::new(self, Horizon::NOW).hidden_class(bytes)
    }

    /// Memory for rewriting a class.
    pub fn take_workspace(&self) -> Workspace {
        self.workspaces.lock().pop().unwrap_or_default()
    }

    /// Gives it back for the next class.
    pub fn give_back(&self, workspace: Workspace) {
        self.workspaces.lock().push(workspace);
    }

    /// Writes what has been recorded until now to another file.
    ///
    /// # Errors
    /// When the file cannot be written; what was there before stays.
    pub fn dump(&self, path: &Path) -> io::Result<()> {
        if let Some(reason) = &self.idle {
            return Err(io::Error::other(reason.clone()));
        }
        compaction::replace(path, |out| self.write_snapshot(out))
    }

    /// Writes what has been recorded until now.
    ///
    /// # Errors
    /// When `out` fails.
    pub fn write_snapshot(&self, out: impl Write) -> io::Result<()> {
        compaction::write(self.arena, Completeness::Snapshot, None, out)
    }

    /// Ends the recording: the live file is replaced by its compact form. If
    /// that fails (a full disk), the live one stays, and it is as good.
    ///
    /// `active` are the slots in which threads stand at the end.
    pub fn finish(&self, ending: Ending, active: &[u64]) {
        if self.idle.is_some() {
            return;
        }
        let end_millis = now_millis();
        self.arena.look_for_lost_pages();
        let shortage = self.arena.shortage();
        if let Some(shortage) = &shortage {
            let lost = self.trees.lost(self.arena);
            self.close(key::SHORTAGE, &shortage.to_string());
            self.close(key::CALLS_LOST, &lost.calls.to_string());
            self.close(key::BYTECODES_LOST, &lost.bytecodes.to_string());
        }
        self.close(key::END_MILLIS, &end_millis.to_string());
        let completeness = match ending {
            // Of a damaged file nothing can be said for sure.
            Ending::Orderly if shortage != Some(Shortage::FileDamaged) => Completeness::Complete,
            _ => Completeness::CutShort,
        };
        let _view = self.arena.hold_view();
        if completeness == Completeness::Complete {
            let reason = "the JVM ended".to_owned();
            self.journal.close(self.arena, &Record::End { reason, end_millis });
        }
        let active = self.words(active);
        let written = compaction::replace(&self.path, |out| {
            compaction::write(self.arena, completeness, Some(&active), out)
        });
        let path = self.path.display();
        match (shortage, written) {
            (Some(shortage), _) => eprintln!("subsume: {path} is not complete: {shortage}"),
            (None, Err(error)) => eprintln!("subsume: {path} stays in its larger form: {error}"),
            (None, Ok(())) => {}
        }
        self.arena.stop_growing_ahead();
    }

    /// Word indices of addresses that lie in the file.
    fn words(&self, addresses: &[u64]) -> Vec<u32> {
        let base = self.arena.base_address();
        let mut words: Vec<u32> = addresses
            .iter()
            .filter_map(|address| u32::try_from(address.checked_sub(base)? / 4).ok())
            .filter(|&word| word >= layout::RESERVED_WORDS && word < self.arena.overflow())
            .collect();
        words.sort_unstable();
        words
    }

    fn close(&self, key: &str, value: &str) {
        let _view = self.arena.hold_view();
        let record = Record::RunInfo { key: key.to_owned(), value: value.to_owned() };
        self.journal.close(self.arena, &record);
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
