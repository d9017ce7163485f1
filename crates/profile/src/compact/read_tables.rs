//! Decodes the tables of a profile.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use super::section::{Section, kind};
use super::stream::Stream;
use crate::blocks::MethodBlocks;
use crate::cursor::Cursor;
use crate::dataflow::{
    CopyProfile, CostGraph, DataFlow, GrowthProfile, LoopProfile, NullGraph, ResultsProfile,
    TypestateProfile,
};
use crate::{
    AllocatedBytes, CallSite, ClassId, ClassInfo, Definition, Error, Loader, MethodId, MethodInfo,
    Profile, RunInfo, Skipped, ThreadTree,
};

/// The tables, in a profile without calling contexts. Thread ranges are
/// consecutive; `contexts` is how many they must cover together.
pub(super) fn read(sections: &[Section<'_>], contexts: u32) -> Result<Profile, Error> {
    let strings = the(sections, kind::STRINGS, "strings")?;
    let tables = sections.iter().filter(|section| section.kind != kind::NODES);
    let stored = tables.map(|section| section.payload.len()).sum();
    let mut texts = Texts::read(strings.cursor(), stored)?;
    let mut classes = read_classes(the(sections, kind::CLASSES, "classes")?.cursor(), &mut texts)?;
    read_definitions(sections, &mut texts, &mut classes)?;
    let mut methods =
        read_methods(the(sections, kind::METHODS, "methods")?.cursor(), &mut texts, classes.len())?;
    read_sites(the(sections, kind::SITES, "call sites")?.cursor(), &mut methods)?;
    let mut results = read_optional(sections, kind::RESULTS, "results", ResultsProfile::decode)?;
    if let Some(results) = &mut results
        && sections.iter().any(|section| section.kind == kind::EMPTY_RESULTS)
    {
        let table = the(sections, kind::EMPTY_RESULTS, "empty results")?;
        let mut cursor = table.cursor();
        results.decode_empty(&mut cursor)?;
        finished(&cursor)?;
    }
    let dataflow = DataFlow {
        copies: read_optional(sections, kind::COPIES, "copies", CopyProfile::decode)?,
        costs: read_optional(sections, kind::COSTS, "costs", CostGraph::decode)?,
        nulls: read_optional(sections, kind::NULLS, "nulls", NullGraph::decode)?,
        loops: read_optional(sections, kind::LOOPS, "loops", LoopProfile::decode)?,
        growth: read_optional(sections, kind::GROWTH, "growth", GrowthProfile::decode)?,
        results,
        typestates: read_optional(
            sections,
            kind::TYPESTATES,
            "typestates",
            TypestateProfile::decode,
        )?,
    };
    dataflow.validate(methods.len())?;
    let blocks = read_optional(sections, kind::BLOCKS, "basic blocks", MethodBlocks::decode_all)?;
    let blocks = blocks.unwrap_or_default();
    blocks.iter().try_for_each(|of_method| of_method.validate(methods.len()))?;
    let allocated = read_allocated(sections, &mut texts, methods.len())?;
    let code_hashes = read_code_hashes(sections, methods.len())?;
    Ok(Profile {
        code_hashes,
        run: read_run(the(sections, kind::RUN, "run")?.cursor())?,
        threads: read_threads(
            the(sections, kind::THREADS, "threads")?.cursor(),
            &mut texts,
            contexts,
        )?,
        skipped: read_skipped(the(sections, kind::SKIPPED, "skipped")?.cursor(), &mut texts)?,
        classes,
        methods,
        dataflow,
        blocks,
        allocated,
        ..Profile::default()
    })
}

/// A section that need not be there, if it is.
fn read_optional<T>(
    sections: &[Section<'_>],
    kind: u32,
    what: &str,
    decode: impl Fn(&mut Cursor<'_>) -> Result<T, Error>,
) -> Result<Option<T>, Error> {
    if sections.iter().all(|section| section.kind != kind) {
        return Ok(None);
    }
    let table = the(sections, kind, what)?;
    let mut cursor = table.cursor();
    let dataflow = decode(&mut cursor)?;
    finished(&cursor)?;
    Ok(Some(dataflow))
}

/// The bytes that methods allocated, by class, if they were counted.
fn read_allocated(
    sections: &[Section<'_>],
    texts: &mut Texts<'_>,
    methods: usize,
) -> Result<Vec<AllocatedBytes>, Error> {
    if sections.iter().all(|section| section.kind != kind::ALLOCATED) {
        return Ok(Vec::new());
    }
    let table = the(sections, kind::ALLOCATED, "allocated bytes")?;
    let mut cursor = table.cursor();
    let count = cursor.count(3, "the number of allocated classes")?;
    let mut allocated = Vec::with_capacity(count);
    for _ in 0..count {
        let start = cursor.offset();
        let method = cursor.varint_u32("a method")?;
        if method as usize >= methods {
            return Err(Error::at(start, format!("bytes of method {method} of {methods}")));
        }
        let class = texts.next(&mut cursor, "the name of an allocated class")?;
        let bytes = cursor.varint("a number of bytes")?;
        allocated.push(AllocatedBytes { method: MethodId(method), class, bytes });
    }
    finished(&cursor)?;
    Ok(allocated)
}

/// The hashes of code, if there are any: one for each method.
fn read_code_hashes(sections: &[Section<'_>], methods: usize) -> Result<Vec<u64>, Error> {
    if sections.iter().all(|section| section.kind != kind::CODE) {
        return Ok(Vec::new());
    }
    let table = the(sections, kind::CODE, "hashes of code")?;
    let mut cursor = table.cursor();
    if cursor.remaining() as u64 != 8 * methods as u64 {
        let bytes = cursor.remaining();
        return Err(cursor.error(format!("{bytes} bytes of hashes for {methods} methods")));
    }
    (0..methods).map(|_| cursor.fixed_u64("a hash of code")).collect()
}

/// The names of the metrics, in the order of their columns.
pub(super) fn read_metrics(sections: &[Section<'_>]) -> Result<Vec<String>, Error> {
    let table = the(sections, kind::METRICS, "metrics")?;
    let mut cursor = table.cursor();
    let count = cursor.count(1, "the number of metrics")?;
    let mut names = Vec::with_capacity(count);
    for _ in 0..count {
        names.push(cursor.string("a metric name")?.to_owned());
    }
    finished(&cursor)?;
    Ok(names)
}

/// A section that is a table.
struct Table<'a> {
    stream: Stream<'a>,
    content: Cow<'a, [u8]>,
}

impl Table<'_> {
    /// Reads the table from its start.
    fn cursor(&self) -> Cursor<'_> {
        self.stream.cursor(&self.content)
    }
}

/// The one section of that kind.
fn the<'a>(sections: &[Section<'a>], kind: u32, what: &str) -> Result<Table<'a>, Error> {
    let mut found = sections.iter().filter(|section| section.kind == kind);
    match (found.next(), found.next()) {
        (Some(section), None) => {
            let mut cursor = section.cursor();
            let stream = Stream::read(&mut cursor, what)?;
            finished(&cursor)?;
            Ok(Table { stream, content: stream.into_content()? })
        }
        (Some(_), Some(second)) => {
            Err(second.cursor().error(format!("a second section of {what}")))
        }
        (None, _) => {
            let end = sections.last().map_or(0, |section| section.offset);
            Err(Error::at(end, format!("the section of {what} is missing")))
        }
    }
}

fn finished(cursor: &Cursor<'_>) -> Result<(), Error> {
    if cursor.remaining() == 0 { Ok(()) } else { Err(cursor.error("bytes behind the last entry")) }
}

/// The strings that other tables refer to.
struct Texts<'a> {
    strings: Vec<&'a str>,
    /// Bytes that may still be copied out of the table. Names repeat, but not
    /// without measure: without a limit, a small file with one long string
    /// could ask for any amount of memory.
    budget: usize,
}

impl<'a> Texts<'a> {
    /// How many bytes of names the tables may have per byte in the file.
    const MOST_REPETITION: usize = 256;

    /// This number of bytes does no harm, however few bytes the tables take compressed.
    const FEW: usize = 16 << 20;

    /// Reads the table of strings. All tables take `stored` bytes of the file.
    fn read(mut cursor: Cursor<'a>, stored: usize) -> Result<Self, Error> {
        let count = cursor.count(1, "the number of strings")?;
        let mut strings = Vec::with_capacity(count);
        for _ in 0..count {
            strings.push(cursor.string("a string")?);
        }
        finished(&cursor)?;
        Ok(Self { strings, budget: Self::FEW.max(stored.saturating_mul(Self::MOST_REPETITION)) })
    }

    /// The string whose index comes next.
    fn next(&mut self, cursor: &mut Cursor<'_>, what: &str) -> Result<String, Error> {
        let start = cursor.offset();
        let index = cursor.varint(what)?;
        self.at(index, start, what)
    }

    /// The string with an index that was read at `start`.
    fn at(&mut self, index: u64, start: u64, what: &str) -> Result<String, Error> {
        let Some(text) = usize::try_from(index).ok().and_then(|index| self.strings.get(index))
        else {
            let count = self.strings.len();
            return Err(Error::at(start, format!("{what} is string {index} of {count}")));
        };
        match self.budget.checked_sub(text.len()) {
            Some(budget) => self.budget = budget,
            None => return Err(Error::at(start, "the strings repeat beyond all measure")),
        }
        Ok((*text).to_owned())
    }
}

fn read_run(mut cursor: Cursor<'_>) -> Result<RunInfo, Error> {
    let mut run = RunInfo::default();
    let count = cursor.count(2, "the number of facts about the run")?;
    for _ in 0..count {
        let key = cursor.string("a key")?;
        run.set(key, cursor.string("a value")?);
    }
    finished(&cursor)?;
    Ok(run)
}

fn read_classes(mut cursor: Cursor<'_>, texts: &mut Texts<'_>) -> Result<Vec<ClassInfo>, Error> {
    let count = cursor.count(3, "the number of classes")?;
    let mut classes = Vec::with_capacity(count);
    for _ in 0..count {
        classes.push(ClassInfo {
            name: texts.next(&mut cursor, "a class name")?,
            source_file: texts.next(&mut cursor, "a source file")?,
            superclass: texts.next(&mut cursor, "a superclass")?,
            ..ClassInfo::default()
        });
    }
    finished(&cursor)?;
    Ok(classes)
}

/// Who defined the classes, if that is known. Classes of one place share it.
fn read_definitions(
    sections: &[Section<'_>],
    texts: &mut Texts<'_>,
    classes: &mut [ClassInfo],
) -> Result<(), Error> {
    if sections.iter().all(|section| section.kind != kind::DEFINITIONS) {
        return Ok(());
    }
    let table = the(sections, kind::DEFINITIONS, "definitions of classes")?;
    let mut cursor = table.cursor();
    let mut known: HashMap<(u64, u64), Arc<Definition>> = HashMap::new();
    for class in classes {
        let loader = cursor.varint("a loader")?;
        let start = cursor.offset();
        let location = cursor.varint("the location of a class")?;
        let definition = match known.get(&(loader, location)) {
            Some(definition) => Arc::clone(definition),
            None => {
                let text = texts.at(location, start, "the location of a class")?;
                let definition = Definition { loader: Loader::of_number(loader), location: text };
                Arc::clone(known.entry((loader, location)).or_insert(Arc::new(definition)))
            }
        };
        class.definition = definition;
    }
    finished(&cursor)
}

fn read_methods(
    mut cursor: Cursor<'_>,
    texts: &mut Texts<'_>,
    classes: usize,
) -> Result<Vec<MethodInfo>, Error> {
    let count = cursor.count(4, "the number of methods")?;
    let mut methods = Vec::with_capacity(count);
    for _ in 0..count {
        let start = cursor.offset();
        let class = cursor.varint_u32("the class of a method")?;
        if class as usize >= classes {
            return Err(Error::at(start, format!("a method of class {class} of {classes}")));
        }
        methods.push(MethodInfo {
            class: ClassId(class),
            name: texts.next(&mut cursor, "a method name")?,
            descriptor: texts.next(&mut cursor, "a descriptor")?,
            access: cursor.varint_u16("access flags")?,
            sites: Vec::new(),
        });
    }
    finished(&cursor)?;
    Ok(methods)
}

fn read_sites(mut cursor: Cursor<'_>, methods: &mut [MethodInfo]) -> Result<(), Error> {
    for method in methods {
        let count = cursor.count(2, "the number of call sites")?;
        method.sites.reserve_exact(count);
        for _ in 0..count {
            method.sites.push(CallSite {
                bci: cursor.varint_u16("a bytecode index")?,
                line: cursor.varint_u16("a line")?,
            });
        }
    }
    finished(&cursor)
}

fn read_threads(
    mut cursor: Cursor<'_>,
    texts: &mut Texts<'_>,
    contexts: u32,
) -> Result<Vec<ThreadTree>, Error> {
    let count = cursor.count(3, "the number of threads")?;
    let mut threads = Vec::with_capacity(count);
    let mut start = 0u32;
    for _ in 0..count {
        let name = texts.next(&mut cursor, "a thread name")?;
        let number = cursor.varint_u32("a number of threads")?;
        let nodes_at = cursor.offset();
        let nodes = cursor.varint_u32("the contexts of a thread")?;
        let end = start.checked_add(nodes).filter(|&end| end <= contexts).ok_or_else(|| {
            Error::at(nodes_at, format!("threads have more than the {contexts} contexts"))
        })?;
        threads.push(ThreadTree { name, threads: number, nodes: start..end });
        start = end;
    }
    finished(&cursor)?;
    if start != contexts {
        return Err(cursor.error(format!("threads have {start} of {contexts} contexts")));
    }
    Ok(threads)
}

fn read_skipped(mut cursor: Cursor<'_>, texts: &mut Texts<'_>) -> Result<Vec<Skipped>, Error> {
    let count = cursor.count(3, "the number of skipped entries")?;
    let mut skipped = Vec::with_capacity(count);
    for _ in 0..count {
        skipped.push(Skipped {
            class: texts.next(&mut cursor, "a skipped class")?,
            method: texts.next(&mut cursor, "a skipped method")?,
            reason: texts.next(&mut cursor, "a reason")?,
        });
    }
    finished(&cursor)?;
    Ok(skipped)
}
