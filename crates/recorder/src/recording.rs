//! One recording: the profile's file, and what goes into it.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use arena::{Arena, Shortage};
use base::tell;
use base::whole_file::WholeFile;
use parking_lot::Mutex;
use profile::metadata::Record;
use profile::{Completeness, key, layout};
use rustc_hash::FxHashSet;

use crate::compaction;
use crate::labels;
use instrument::catalogue::{Catalogue, Snapshot};
use instrument::code_indices::versions::{ClassName, CodeVersions};
use instrument::dataflow::capability::Capability;
use instrument::dataflow::mode::DataflowOptions;
use instrument::dataflow::objects::tags::Tags;
use instrument::dataflow::tables::{Graph, Parts};
use instrument::destination::Destination;
use instrument::instance_sizes::InstanceSizes;
use instrument::noticed::Noticed;
use instrument::options::{Options, Start};
use instrument::probe::Shim;
use instrument::rewrite::class_load::{LoadRequest, Transformed};
use instrument::rewrite::environment::Environment;
use instrument::rewrite::rewriter::Rewriter;
use instrument::rewrite::workspaces::Workspaces;
use instrument::splits::table::{Books, SplitTable, Text};
use live::meter::Meter;
use live::profile_writer::ProfileWriter;
use live::switch::Switch;
use live::thread_trees::ThreadTrees;
use live::trees::MostContexts;

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
    /// Takes the profile's metadata.
    pub writer: Arc<ProfileWriter>,
    /// The calling context trees of threads.
    pub trees: ThreadTrees,
    /// Tags of objects, if objects carry any.
    pub tags: Option<Tags>,
    /// Cells with the sizes of instances, for code that counts bytes.
    pub sizes: InstanceSizes,
    /// The methods that are split by texts, if any may be.
    pub splits: Option<SplitTable>,
    /// Which classes the JVM has shown.
    pub noticed: Noticed,
    /// Where the code of classes was before they were rewritten.
    pub code_versions: CodeVersions,
    /// What is kept of data flow, if that is recorded.
    pub graph: Option<Graph>,
    /// Measurements that the program asks for.
    pub(crate) meter: Meter,
    path: Mutex<PathBuf>,
    /// Whether the file at this path lacks what was recorded for it.
    is_owed: AtomicBool,
    /// Why nothing is recorded, if so.
    idle: Option<String>,
    switch: Switch,
    /// Whether classes that are loaded without probes get their names.
    names_in_advance: AtomicBool,
    /// Whether code of the JDK may call the runtime class.
    has_runtime: AtomicBool,
    /// Whether threads keep their slots where they had their secondary seeds.
    takes_seeds: AtomicBool,
    recordings: AtomicU32,
    prepares: AtomicBool,
    shim: Shim,
    workspaces: Workspaces,
}

impl Recorder {
    /// Creates the profile's file and notes what is known of the run.
    ///
    /// # Errors
    /// One line that says which file could not be created and why.
    pub fn create(options: &Options, shim: Shim) -> Result<Self, String> {
        let start_millis = now_millis();
        let refuse = |path: &Path, error: io::Error| {
            let folder = path.parent().filter(|folder| !folder.exists());
            let path = path.display();
            match folder {
                Some(folder) => {
                    format!("cannot create {path}: there is no folder {}", folder.display())
                }
                None => format!("cannot create {path}: {error}"),
            }
        };
        let mut destination =
            Destination::of(options, start_millis).map_err(|(path, error)| refuse(&path, error))?;
        let path = destination.path.clone();
        let refuse = |error| refuse(&path, error);
        let mut whole = WholeFile::create(&path).map_err(refuse)?;
        let file = whole.file().try_clone().map_err(refuse)?;
        let arena = Arena::create(file, options.max_memory).map_err(refuse)?;
        let recorder = Self::new(options, shim, arena, path.clone(), None);
        recorder.write_header();
        let writer = &recorder.writer;
        writer.note(key::WRITER, concat!("subsume agent ", env!("CARGO_PKG_VERSION")));
        writer.note(key::PROCESS_ID, &std::process::id().to_string());
        writer.note(key::START_MILLIS, &start_millis.to_string());
        writer.note(key::COMMAND_LINE, &command_line());
        for (name, value) in labels::of_run(options) {
            writer.note(&format!("{}{name}", key::LABEL), &value);
        }
        if let Some(tags) = &recorder.tags {
            tags.reserve_rest(&|record| {
                writer.append(record);
            });
            tags.counters.prepare(recorder.arena);
        }
        // Says also what is recorded.
        recorder.settle(false);
        // From now on it can be read, whatever happens. Readers of an older file
        // of that name keep what they have.
        whole.complete_early().map_err(refuse)?;
        destination.is_taken();
        if let Some(usual) = &destination.instead_of {
            tell!(
                "{} is of another run; this one is recorded to {}",
                usual.display(),
                path.display()
            );
        }
        Ok(recorder)
    }

    /// A recorder that never records, for the given reason: what the program
    /// expects of the agent is there all the same.
    ///
    /// # Errors
    /// When not even that is possible.
    pub fn idle(options: &Options, shim: Shim, reason: String) -> io::Result<Self> {
        let arena = Arena::in_memory()?;
        Ok(Self::new(options, shim, arena, PathBuf::new(), Some(reason)))
    }

    fn new(
        options: &Options,
        shim: Shim,
        arena: Arena,
        path: PathBuf,
        idle: Option<String>,
    ) -> Self {
        // Instrumented code keeps the address until the process ends.
        let arena: &'static Arena = Box::leak(Box::new(arena));
        let writer = Arc::new(ProfileWriter::new(arena));
        let switch = Switch::default();
        let graph = options.mode.dataflow.and_then(|flow: DataflowOptions| {
            let mode = flow.mode;
            let memory = options.max_memory;
            let tables = |record| mode.tables(arena, flow, record, memory);
            let writer = Arc::clone(&writer);
            let parts = Parts {
                last_writers: mode.has(Capability::KeepsLastWriters),
                consumed: mode.has(Capability::NotesConsumedValues),
            };
            Graph::new(arena, switch.clone(), writer, parts, tables)
        });
        let tagged = options.mode.dataflow.filter(|flow| flow.mode.tags_objects());
        let most = MostContexts {
            count: options.max_contexts.unwrap_or(u64::MAX),
            end_all: graph.is_none(),
        };
        Self {
            options: options.clone(),
            arena,
            catalogue: Catalogue::default(),
            trees: ThreadTrees::new(
                arena,
                switch.clone(),
                Arc::clone(&writer),
                most,
                options
                    .mode
                    .dataflow
                    .is_some_and(|dataflow| dataflow.mode.has(Capability::KnowsCallers)),
            ),
            writer,
            sizes: InstanceSizes::default(),
            splits: options.splits.clone().map(SplitTable::new),
            noticed: Noticed::default(),
            code_versions: CodeVersions::default(),
            tags: tagged.map(|flow| Tags::new(flow.contexts)),
            graph,
            meter: Meter::default(),
            path: Mutex::new(path),
            is_owed: AtomicBool::new(true),
            idle,
            switch,
            names_in_advance: AtomicBool::new(false),
            has_runtime: AtomicBool::new(false),
            takes_seeds: AtomicBool::new(false),
            recordings: AtomicU32::new(0),
            prepares: AtomicBool::new(false),
            shim,
            workspaces: Workspaces::default(),
        }
    }

    /// Why nothing is recorded, if so.
    pub fn idle_reason(&self) -> Option<&str> {
        self.idle.as_deref()
    }

    /// Says whether classes that are loaded without probes are to have their names in the
    /// constant pool, since they will get probes at once.
    pub fn name_probes_in_advance(&self, in_advance: bool) {
        self.names_in_advance.store(in_advance, Ordering::Release);
    }

    /// Notes that the runtime class is there.
    pub fn set_runtime(&self) {
        self.has_runtime.store(true, Ordering::Release);
    }

    /// Whether the agent came into a running JVM.
    pub fn is_attached(&self) -> bool {
        self.options.start == Start::Attached
    }

    /// Whether threads have slots now: in a running JVM that the agent came into only while
    /// it is recording.
    pub fn keeps_slots(&self) -> bool {
        !self.is_attached() || self.takes_seeds.load(Ordering::Acquire)
    }

    /// From now on threads keep their slots where they had their secondary seeds, or no
    /// longer.
    pub fn take_seeds(&self, take: bool) {
        self.takes_seeds.store(take, Ordering::Release);
    }

    /// Where the profile is written.
    pub fn path(&self) -> PathBuf {
        self.path.lock().clone()
    }

    /// Makes ready for a recording into a file, in a running JVM that the agent came into:
    /// what was recorded for another file before does not count.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn aim(&self, path: &Path) -> io::Result<()> {
        if self.owes() && *self.path.lock() == path {
            // The first recording, whose file is there.
            return Ok(());
        }
        // Whether it can be created is to be known before anything is recorded.
        WholeFile::create(path)?;
        if self.owes() && self.recordings() == 0 {
            // Who had the agent loaded is not who was the first to ask for a recording.
            let meant = self.path();
            let _ = std::fs::rename(&meant, path).or_else(|_| std::fs::remove_file(&meant));
        }
        self.trees.forget_counts();
        self.writer.note(key::START_MILLIS, &now_millis().to_string());
        *self.path.lock() = path.to_owned();
        self.is_owed.store(true, Ordering::Release);
        Ok(())
    }

    /// Whether something is recorded, or was, that is not in its file yet.
    pub fn owes(&self) -> bool {
        self.is_owed.load(Ordering::Acquire)
    }

    /// Writes what was recorded to its file, after recording was switched off.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn deliver(&self) -> io::Result<()> {
        self.dump(&self.path())?;
        self.is_owed.store(false, Ordering::Release);
        Ok(())
    }

    fn write_header(&self) {
        let magic = layout::MAGIC;
        let half = |range: std::ops::Range<usize>| {
            magic[range].iter().rev().fold(0, |word, &byte| word << 8 | u32::from(byte))
        };
        let store = |offset, word| self.arena.header_word(offset).store(word, Ordering::Relaxed);
        store(
            layout::header::VERSION,
            u32::from(layout::FORM_LIVE) << 16 | u32::from(layout::LIVE_VERSION),
        );
        store(layout::header::METRICS, self.options.metrics());
        store(layout::header::BYTE_ORDER, layout::BYTE_ORDER_MARK);
        store(layout::header::MAGIC + 4, half(4..8));
        store(layout::header::MAGIC, half(0..4));
    }

    /// Whether what probes count is kept.
    pub fn is_recording(&self) -> bool {
        self.switch.is_on()
    }

    /// Whether classes are to be instrumented.
    pub fn is_instrumenting(&self) -> bool {
        self.is_recording() || self.prepares.load(Ordering::Acquire)
    }

    /// From now on classes are to be instrumented, though what probes count is not kept
    /// before [`Recorder::begin`]: so classes can get theirs one after the other, and
    /// count from the same moment on. False if that is not possible.
    pub fn prepare(&self) -> bool {
        // What follows data keeps more than counts.
        if self.idle.is_some() || self.options.mode.dataflow.is_some() {
            return false;
        }
        // Else what was recorded before passes for the callers of what is entered now.
        if self.arena.hide_file().is_err() {
            return false;
        }
        self.prepares.store(true, Ordering::Release);
        true
    }

    /// From now on what probes count is kept, and classes are to be
    /// instrumented. False if that is not possible.
    pub fn begin(&self) -> bool {
        if self.idle.is_some() || self.arena.attach_program().is_err() {
            return false;
        }
        if self.recordings.fetch_add(1, Ordering::Relaxed) > 0 {
            self.writer.note(key::STOPPED_MILLIS, "0");
        }
        if let (Some(graph), Some(tags)) = (&self.graph, &self.tags) {
            graph.forget_consumed(tags.table.tags());
        }
        self.switch.set(true);
        self.prepares.store(false, Ordering::Release);
        true
    }

    /// Names, with dots, of the classes of which a method has a context.
    pub fn executed_classes(&self) -> FxHashSet<Box<str>> {
        self.catalogue.classes_with(|method| self.trees.was_entered(method))
    }

    /// How often recording began.
    pub fn recordings(&self) -> u32 {
        self.recordings.load(Ordering::Relaxed)
    }

    /// Notes that recording is switched off while the program goes on.
    pub fn note_stop(&self) {
        self.writer.note(key::STOPPED_MILLIS, &now_millis().to_string());
    }

    /// From now on what probes still count is not kept, and classes are to stay
    /// as they are.
    pub fn end(&self) {
        // If the system refuses, frames that still have probes add to what was
        // recorded until they return.
        let _ = self.arena.detach_program();
        self.collect();
        self.switch.set(false);
        self.prepares.store(false, Ordering::Release);
    }

    /// What the JVM is to parse instead of a class; `None` to take it as it is.
    pub fn transform(&self, request: &LoadRequest<'_>) -> Option<Transformed> {
        self.transform_as_of(request, Snapshot::NOW)
    }

    /// As [`Recorder::transform`], with what was known of other classes at a
    /// certain time, so that it does not matter when this is done.
    pub fn transform_as_of(
        &self,
        request: &LoadRequest<'_>,
        snapshot: Snapshot,
    ) -> Option<Transformed> {
        self.rewriter(snapshot).transform(request)
    }

    /// A hidden class with probes; `None` to take it as it is. The JVM shows
    /// such classes to no load hook, so their bytes come another way.
    pub fn hidden_class(&self, bytes: &[u8]) -> Option<Vec<u8>> {
        let transformed = self.rewriter(Snapshot::NOW).hidden_class(bytes)?;
        if let Some(name) = transformed.class_name() {
            let class = ClassName { name: &name, is_boot: false };
            // The JVM redefines no hidden class.
            self.code_versions.note(class, 0, Some(transformed.moved));
        }
        Some(transformed.bytes)
    }

    /// The number under which a method is entered whose contexts differ by texts.
    pub fn number_of_text(&self, method: u32, text: Text) -> u32 {
        let Some(splits) = &self.splits else { return method };
        let (catalogue, writer, trees) = (&self.catalogue, &*self.writer, &self.trees);
        splits.number(method, text, Books { catalogue, writer, trees })
    }

    fn rewriter(&self, snapshot: Snapshot) -> Rewriter<'_> {
        let recording = Environment {
            options: &self.options,
            catalogue: &self.catalogue,
            writer: &self.writer,
            trees: &self.trees,
            tags: self.tags.as_ref(),
            sizes: &self.sizes,
            splits: self.splits.as_ref(),
            noticed: &self.noticed,
            graph: self.graph.as_ref(),
            is_recording: self.is_instrumenting(),
            names_in_advance: self.names_in_advance.load(Ordering::Acquire),
            has_runtime: self.has_runtime.load(Ordering::Acquire),
            is_attached: self.is_attached(),
            takes_seeds: self.takes_seeds.load(Ordering::Acquire),
            base_address: self.arena.base_address(),
            shim: self.shim,
        };
        Rewriter::new(recording, &self.workspaces, snapshot)
    }

    /// Writes what has been recorded until now to another file.
    ///
    /// # Errors
    /// When the file cannot be written; what was there before stays.
    pub fn dump(&self, path: &Path) -> io::Result<()> {
        if let Some(reason) = &self.idle {
            return Err(io::Error::other(reason.clone()));
        }
        self.collect();
        self.settle(false);
        compaction::replace(path, |out| self.write_snapshot(out))
    }

    /// The thread of this tree has ended.
    pub fn thread_ended(&self, tree: u32) {
        if let (Some(graph), Some(dataflow)) = (&self.graph, self.options.mode.dataflow) {
            dataflow.mode.thread_ended(graph, &self.trees, tree);
        }
        self.meter.forget(tree);
        self.trees.release(tree);
    }

    /// Whether probes note something beside the file, which has to be collected.
    pub fn collects(&self) -> bool {
        self.graph.as_ref().is_some_and(|graph| graph.consumed.is_some())
    }

    /// Writes down what probes have noted beside the file since it was done last.
    pub fn collect(&self) {
        if let (Some(graph), Some(tags)) = (&self.graph, &self.tags) {
            graph.collect_consumed(tags.table.tags());
        }
    }

    /// Has the mode write down what it has not so far.
    fn settle(&self, is_end: bool) {
        if let (Some(graph), Some(dataflow)) = (&self.graph, self.options.mode.dataflow) {
            let write = |record: &Record| {
                // Without room for it the arena says that the file is not complete.
                self.writer.append(record);
            };
            dataflow.mode.settle(graph, &self.trees, is_end, &write);
        }
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
        if self.idle.is_some() || !self.owes() {
            return;
        }
        let end_millis = now_millis();
        self.collect();
        self.settle(true);
        self.arena.look_for_lost_pages();
        let shortage = self.arena.shortage();
        if let Some(shortage) = &shortage {
            let lost = self.trees.lost();
            self.writer.close_with(key::SHORTAGE, &shortage.to_string());
            self.writer.close_with(key::CALLS_LOST, &lost.calls.to_string());
            self.writer.close_with(key::BYTECODES_LOST, &lost.bytecodes.to_string());
        }
        self.writer.close_with(key::END_MILLIS, &end_millis.to_string());
        let completeness = match ending {
            // Of a damaged file nothing can be said for sure.
            Ending::Orderly if shortage != Some(Shortage::FileDamaged) => Completeness::Complete,
            _ => Completeness::CutShort,
        };
        let _view = self.arena.hold_view();
        if completeness == Completeness::Complete {
            let reason = "the JVM ended".to_owned();
            self.writer.close(&Record::End { reason, end_millis });
        }
        let active = self.words(active);
        let path = self.path();
        let written = compaction::replace(&path, |out| {
            compaction::write(self.arena, completeness, Some(&active), out)
        });
        let path = path.display();
        match (shortage, written) {
            (Some(shortage), Ok(())) => {
                tell!("{path} is not complete: {shortage}");
            }
            (Some(shortage), Err(error)) => {
                tell!("{path} is not complete: {shortage}; it stays in its larger form: {error}")
            }
            (None, Err(error)) => tell!("{path} stays in its larger form: {error}"),
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
}

fn now_millis() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
}

/// The process's command line as the system knows it, quoted where a shell
/// would need it.
#[allow(clippy::disallowed_methods, reason = "no names of the JVM")]
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
