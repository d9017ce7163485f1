//! Source text on a page: the lines of its methods, as far as there is room.

use std::collections::BTreeMap;

use profile::Profile;
use profile::blocks::LineCount;
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::page::count::Count;
use crate::page::listing::Listing;
use analysis::source::extent::{Lines, SourceText};
use analysis::source::files::{SourceFile, SourceFiles};
use analysis::source::line_costs::{LineCost, LineCosts};
use analysis::source::line_counts::LineCounts;
use tree::names::method::Method;

/// Lines between two excerpts that are rather shown than left out.
const GAP: usize = 3;

/// Source text of a profile's methods.
#[derive(Debug, Default)]
pub struct Found {
    files: Vec<File>,
    methods: FxHashMap<Method, Excerpt>,
    /// Methods whose files were found when there was enough text already.
    more: usize,
}

#[derive(Debug)]
struct File {
    name: String,
    text: SourceText,
}

#[derive(Debug)]
struct Excerpt {
    file: usize,
    lines: Lines,
    calls: Vec<LineCost>,
    counts: BTreeMap<u16, LineCount>,
}

/// What is known of the methods' places before their text is looked for.
#[derive(Debug, Default)]
pub struct Places {
    /// `SourceFile` of each class.
    source_files: FxHashMap<String, String>,
    lines: LineCosts,
    counts: LineCounts,
}

impl Places {
    /// Those of a profile.
    pub fn new(profile: &Profile, lines: LineCosts, counts: LineCounts) -> Self {
        let classes = profile.classes.iter();
        let source_files = classes.map(|class| (class.name.clone(), class.source_file.clone()));
        Self { source_files: source_files.collect(), lines, counts }
    }
}

impl Found {
    /// Looks for the text of the methods, the first ones first, until more
    /// than `bytes` bytes of it have been found.
    pub fn new<'a>(
        methods: impl Iterator<Item = &'a Method>,
        mut places: Places,
        sources: &SourceFiles,
        bytes: usize,
    ) -> Self {
        let mut found = Self::default();
        // Where each file is that has been read; `None` if it cannot be.
        let mut read: FxHashMap<&SourceFile, Option<usize>> = FxHashMap::default();
        let mut size = 0;
        for method in methods {
            let source_file = places.source_files.get(&method.class).map_or("", String::as_str);
            let Some(source) = sources.of_class(&method.class, source_file) else { continue };
            if size > bytes {
                found.more += 1;
                continue;
            }
            let place = *read.entry(source).or_insert_with(|| {
                found.files.push(File {
                    name: source.name.clone(),
                    text: SourceText::new(&sources.text(source)?),
                });
                Some(found.files.len() - 1)
            });
            let Some(file) = place else { continue };
            let calls = places.lines.remove(method).unwrap_or_default();
            let counts = places.counts.methods.remove(method).unwrap_or_default().lines;
            let called = calls.iter().map(|line| line.line);
            let known = called.chain(counts.keys().copied()).filter(|&line| line > 0);
            let known = known.clone().min().zip(known.max());
            let known = known.map(|(first, last)| (first.into(), last.into()));
            let text = &found.files[file].text;
            let Some(lines) = text.extent(&method.class, &method.name, known) else { continue };
            size += found.files[file].size(&lines);
            found.methods.insert(method.clone(), Excerpt { file, lines, calls, counts });
        }
        found
    }
}

impl Found {
    /// Whether not one method has a source.
    pub fn is_empty(&self) -> bool {
        self.methods.is_empty() && self.more == 0
    }
}

impl Excerpt {
    /// The figures of the lines that have any.
    fn line_figures(&self) -> Vec<Line> {
        let executed = self.counts.iter().filter(|&(&line, _)| line > 0).map(|(&line, count)| {
            let (executions, bytecodes) = (Count(count.executions), Count(count.bytecodes));
            (line, Line::Executed(line, None, None, executions, bytecodes))
        });
        let mut figures: BTreeMap<u16, Line> = executed.collect();
        for called in self.calls.iter().filter(|line| line.calls != Some(0) || line.cost > 0) {
            let LineCost { line, calls, cost } = *called;
            let (calls, cost) = (calls.map(Count), Count(cost));
            let known = figures.entry(line).or_insert(Line::Called(line, calls, cost));
            if let Line::Executed(_, its_calls, its_cost, ..) = known {
                (*its_calls, *its_cost) = (calls, Some(cost));
            }
        }
        figures.into_values().collect()
    }
}

impl File {
    /// Bytes of some lines.
    fn size(&self, lines: &Lines) -> usize {
        self.text.text(lines).map(|line| line.len() + 1).sum()
    }
}

/// The section of a page.
#[derive(Debug, Serialize)]
pub struct Sources<'a> {
    files: Vec<FileSection<'a>>,
    /// By number of the method: its file, its first and its last line.
    methods: BTreeMap<u32, (usize, usize, usize)>,
    /// By number of the method.
    lines: BTreeMap<u32, Vec<Line>>,
    /// True if executions of lines were counted.
    has_executions: bool,
    left_out: usize,
}

/// What is known of a line.
#[derive(Debug, Clone, Copy, Serialize)]
#[serde(untagged)]
enum Line {
    /// The line, its calls, and what they cost.
    Called(u16, Option<Count>, Count),
    /// The line, its calls and what they cost if it calls something, how often it was executed,
    /// and its own bytecodes.
    Executed(u16, Option<Count>, Option<Count>, Count, Count),
}

#[derive(Debug, Serialize)]
struct FileSection<'a> {
    name: &'a str,
    chunks: Vec<Chunk>,
}

#[derive(Debug, Serialize)]
struct Chunk {
    first: usize,
    text: String,
}

impl<'a> Sources<'a> {
    /// Takes the methods listed, the first ones first, as long as their lines
    /// have no more than `bytes` bytes.
    pub fn new(found: &'a Found, table: &[Method], listing: &Listing<'_>, bytes: usize) -> Self {
        let mut methods = BTreeMap::new();
        let mut lines = BTreeMap::new();
        let mut size = 0;
        // Numbers of the files on the page, and what of them is shown.
        let mut numbers: FxHashMap<usize, usize> = FxHashMap::default();
        let mut shown: Vec<(usize, Vec<Lines>)> = Vec::new();
        for (number, &method) in (0..).zip(listing.listed) {
            let Some(excerpt) = found.methods.get(&table[method as usize]) else { continue };
            size += found.files[excerpt.file].size(&excerpt.lines);
            if size > bytes {
                break;
            }
            let file = *numbers.entry(excerpt.file).or_insert_with(|| {
                shown.push((excerpt.file, Vec::new()));
                shown.len() - 1
            });
            shown[file].1.push(excerpt.lines.clone());
            methods.insert(number, (file, *excerpt.lines.start(), *excerpt.lines.end()));
            lines.insert(number, excerpt.line_figures());
        }
        let files = shown.into_iter().map(|(file, lines)| found.files[file].section(lines));
        Self {
            files: files.collect(),
            left_out: found.methods.len() - methods.len() + found.more,
            has_executions: found.methods.values().any(|excerpt| !excerpt.counts.is_empty()),
            methods,
            lines,
        }
    }
}

impl File {
    fn section(&self, mut shown: Vec<Lines>) -> FileSection<'_> {
        shown.sort_unstable_by_key(|lines| *lines.start());
        let mut joined: Vec<Lines> = Vec::new();
        for lines in shown {
            match joined.last_mut() {
                Some(last) if *lines.start() <= *last.end() + GAP => {
                    *last = *last.start()..=*last.end().max(lines.end());
                }
                _ => joined.push(lines),
            }
        }
        let chunk = |lines: &Lines| Chunk {
            first: *lines.start(),
            text: self.text.text(lines).collect::<Vec<_>>().join("\n"),
        };
        FileSection { name: &self.name, chunks: joined.iter().map(chunk).collect() }
    }
}
