//! Source text on a page: the lines of its methods, as far as there is room.

use std::collections::BTreeMap;
use std::fs;
use std::ops::RangeInclusive;

use profile::Profile;
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::line_costs::{LineCost, LineCosts};
use crate::method::Method;
use crate::report::page::count::Count;
use crate::report::page::listing::Listing;
use crate::source_extent::{declared_name, extent};
use crate::source_files::{SourceFile, SourceFiles};

/// A larger file was not written by a person.
const LARGEST_FILE: u64 = 4 << 20;
/// Lines between two excerpts that are rather shown than left out.
const GAP: usize = 3;

/// Source text of a profile's methods.
#[derive(Debug, Default)]
pub struct Found {
    files: Vec<File>,
    methods: FxHashMap<Method, Excerpt>,
}

#[derive(Debug)]
struct File {
    name: String,
    lines: Vec<String>,
}

#[derive(Debug)]
struct Excerpt {
    file: usize,
    lines: RangeInclusive<usize>,
    calls: Vec<LineCost>,
}

/// What is known of the methods' places before their text is looked for.
#[derive(Debug, Default)]
pub struct Places {
    /// `SourceFile` of each class.
    source_files: FxHashMap<String, String>,
    lines: LineCosts,
}

impl Places {
    /// Those of a profile.
    pub fn new(profile: &Profile, lines: LineCosts) -> Self {
        let classes = profile.classes.iter();
        let source_files = classes.map(|class| (class.name.clone(), class.source_file.clone()));
        Self { source_files: source_files.collect(), lines }
    }
}

impl Found {
    /// Looks for the text of the methods, the first ones first, until `bytes`
    /// bytes of it have been found.
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
            let place = *read.entry(source).or_insert_with(|| {
                found.files.push(File { name: source.name.clone(), lines: lines_of(source)? });
                Some(found.files.len() - 1)
            });
            let Some(file) = place else { continue };
            let calls = places.lines.remove(method).unwrap_or_default();
            let Some(lines) = extent_of(&found.files[file].lines, method, &calls) else { continue };
            size += found.files[file].size(&lines);
            if size > bytes {
                break;
            }
            found.methods.insert(method.clone(), Excerpt { file, lines, calls });
        }
        found
    }
}

impl File {
    /// Bytes of some lines.
    fn size(&self, lines: &RangeInclusive<usize>) -> usize {
        self.text(lines).map(|line| line.len() + 1).sum()
    }

    fn text(&self, lines: &RangeInclusive<usize>) -> impl Iterator<Item = &str> {
        self.lines[lines.start() - 1..*lines.end()].iter().map(String::as_str)
    }
}

fn lines_of(source: &SourceFile) -> Option<Vec<String>> {
    let size = fs::metadata(&source.path).ok()?.len();
    let text = (size <= LARGEST_FILE).then(|| fs::read(&source.path).ok())??;
    Some(String::from_utf8_lossy(&text).lines().map(str::to_owned).collect())
}

fn extent_of(
    lines: &[String],
    method: &Method,
    calls: &[LineCost],
) -> Option<RangeInclusive<usize>> {
    let text: Vec<&str> = lines.iter().map(String::as_str).collect();
    let known = calls.first().zip(calls.last());
    let known = known.map(|(first, last)| (usize::from(first.line), usize::from(last.line)));
    match declared_name(&method.class, &method.name) {
        Some(name) => extent(&text, name, known),
        // Initialisers of fields may stand far from each other.
        None => known.and_then(|known| extent(&text, "\n", Some(known))),
    }
}

/// The section of a page.
#[derive(Debug, Serialize)]
pub struct Sources<'a> {
    files: Vec<FileSection<'a>>,
    /// By number of the method: its file, its first and its last line.
    methods: BTreeMap<u32, (usize, usize, usize)>,
    /// By number of the method: line, calls, cost.
    lines: BTreeMap<u32, Vec<(u16, Option<Count>, Count)>>,
    left_out: usize,
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
        let mut shown: Vec<(usize, Vec<RangeInclusive<usize>>)> = Vec::new();
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
            let called = excerpt.calls.iter().filter(|line| line.calls != Some(0) || line.cost > 0);
            let called = called.map(|line| (line.line, line.calls.map(Count), Count(line.cost)));
            lines.insert(number, called.collect());
        }
        let files = shown.into_iter().map(|(file, lines)| found.files[file].section(lines));
        Self {
            files: files.collect(),
            left_out: found.methods.len() - methods.len(),
            methods,
            lines,
        }
    }
}

impl File {
    fn section(&self, mut shown: Vec<RangeInclusive<usize>>) -> FileSection<'_> {
        shown.sort_unstable_by_key(|lines| *lines.start());
        let mut joined: Vec<RangeInclusive<usize>> = Vec::new();
        for lines in shown {
            match joined.last_mut() {
                Some(last) if *lines.start() <= *last.end() + GAP => {
                    *last = *last.start()..=*last.end().max(lines.end());
                }
                _ => joined.push(lines),
            }
        }
        let chunk = |lines: &RangeInclusive<usize>| Chunk {
            first: *lines.start(),
            text: self.text(lines).collect::<Vec<_>>().join("\n"),
        };
        FileSection { name: &self.name, chunks: joined.iter().map(chunk).collect() }
    }
}
