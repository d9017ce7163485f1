//! Folded stacks: one line per path, frames from the root on separated by `;`,
//! then a space and a whole number.

use std::io::BufRead;
use std::path::Path;

use profile::{
    ClassId, ClassInfo, MethodInfo, Metric, NO_PARENT, Nodes, Origin, Profile, RunInfo, ThreadTree,
};
use rustc_hash::FxHashMap;

use crate::error::{Error, Result};
use crate::import::frame;
use crate::method::Method;

/// Name of the metric that a file of folded stacks has.
pub const WEIGHT: &str = "weight";

/// Builds a profile from files of folded stacks.
///
/// Each file becomes a tree named after it, so that `--thread` can tell the
/// files apart later.
#[derive(Debug, Default)]
pub struct Importer {
    classes: Vec<ClassInfo>,
    class_numbers: FxHashMap<String, u32>,
    methods: Vec<MethodInfo>,
    method_numbers: FxHashMap<Method, u32>,
    /// Frames as they stand in the file, so that each is parsed once.
    frames: FxHashMap<String, u32>,
    threads: Vec<ThreadTree>,
    nodes: Nodes,
    weights: Vec<u64>,
}

/// A path while a file is read: children are appended as they come.
struct Node {
    method: u32,
    weight: u64,
    first_child: u32,
    last_child: u32,
    next_sibling: u32,
}

const NONE: u32 = u32::MAX;

impl Importer {
    /// Reads one file; `path` is its name in messages.
    ///
    /// # Errors
    /// With the number of the first line that is no folded stack.
    pub fn read(&mut self, path: &Path, input: &mut impl BufRead) -> Result<()> {
        let root = Node {
            method: NONE,
            weight: 0,
            first_child: NONE,
            last_child: NONE,
            next_sibling: NONE,
        };
        let mut nodes = vec![root];
        let mut children: FxHashMap<(u32, u32), u32> = FxHashMap::default();
        let mut bytes = Vec::new();
        for number in 1u64.. {
            bytes.clear();
            if input.read_until(b'\n', &mut bytes).map_err(|e| Error::io(path, &e))? == 0 {
                break;
            }
            let wrong =
                |what: &str| Error::new(format!("{}: line {number}: {what}", path.display()));
            let line = std::str::from_utf8(&bytes).map_err(|_| wrong("not UTF-8 text"))?.trim();
            if line.is_empty() {
                continue;
            }
            let (stack, weight) = line
                .rsplit_once(char::is_whitespace)
                .ok_or_else(|| wrong("no space and number after the stack"))?;
            let weight: u64 = weight
                .parse()
                .map_err(|_| wrong(&format!("'{weight}' is no whole number of 64 bits")))?;
            let mut at = 0u32;
            for text in stack.trim_end().split(';') {
                if text.is_empty() {
                    return Err(wrong("an empty frame"));
                }
                let method = self.method_of(text);
                let next = u32::try_from(nodes.len()).ok().filter(|&n| n != NONE);
                let next = next.ok_or_else(|| wrong("more paths than 32-bit numbers can name"))?;
                let child = *children.entry((at, method)).or_insert(next);
                if child == next {
                    link(&mut nodes, at, method);
                }
                at = child;
            }
            let sum = &mut nodes[at as usize].weight;
            *sum = sum.checked_add(weight).ok_or_else(|| wrong("the weights leave 64 bits"))?;
        }
        if nodes.len() == 1 {
            return Err(Error::new(format!("{}: no folded stack in it", path.display())));
        }
        self.append_tree(path, &nodes)
    }

    /// The profile of all files read.
    pub fn finish(mut self) -> Profile {
        self.nodes.metrics = vec![Metric { name: WEIGHT.to_owned(), values: self.weights }];
        Profile {
            run: RunInfo {
                origin: Origin::Imported("folded stacks".to_owned()),
                writer: concat!("subsume ", env!("CARGO_PKG_VERSION")).to_owned(),
                ..RunInfo::default()
            },
            classes: self.classes,
            methods: self.methods,
            threads: self.threads,
            nodes: self.nodes,
            ..Profile::default()
        }
    }

    fn method_of(&mut self, text: &str) -> u32 {
        if let Some(&method) = self.frames.get(text) {
            return method;
        }
        let parsed = frame::parse(text);
        let known = self.method_numbers.get(&parsed).copied();
        let method = known.unwrap_or_else(|| self.add_method(parsed));
        self.frames.insert(text.to_owned(), method);
        method
    }

    fn add_method(&mut self, method: Method) -> u32 {
        let class = *self.class_numbers.entry(method.class.clone()).or_insert_with(|| {
            self.classes.push(ClassInfo { name: method.class.clone(), source_file: String::new() });
            self.classes.len() as u32 - 1
        });
        self.methods.push(MethodInfo {
            class: ClassId(class),
            name: method.name.clone(),
            descriptor: method.descriptor.clone(),
            access: 0,
            sites: Vec::new(),
        });
        // There are at most as many methods as paths, which are counted.
        let number = self.methods.len() as u32 - 1;
        self.method_numbers.insert(method, number);
        number
    }

    /// Appends a file's paths to the columns, in preorder.
    fn append_tree(&mut self, path: &Path, nodes: &[Node]) -> Result<()> {
        let start = self.nodes.len();
        let end = u32::try_from(start + nodes.len() - 1)
            .map_err(|_| Error::new("more paths than 32-bit numbers can name"))?;
        let mut pending = vec![(nodes[0].first_child, NO_PARENT)];
        while let Some((node, parent)) = pending.pop() {
            let Some(at) = nodes.get(node as usize) else { continue };
            let number = self.nodes.len() as u32;
            self.nodes.method.push(at.method);
            self.nodes.parent.push(parent);
            self.nodes.site.push(0);
            self.weights.push(at.weight);
            pending.push((at.next_sibling, parent));
            pending.push((at.first_child, number));
        }
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        self.threads.push(ThreadTree { name, threads: 1, nodes: start as u32..end });
        Ok(())
    }
}

/// Adds a node as the last child of `parent`.
fn link(nodes: &mut Vec<Node>, parent: u32, method: u32) {
    let child = nodes.len() as u32;
    nodes.push(Node { method, weight: 0, first_child: NONE, last_child: NONE, next_sibling: NONE });
    let before = std::mem::replace(&mut nodes[parent as usize].last_child, child);
    match nodes.get_mut(before as usize) {
        Some(sibling) => sibling.next_sibling = child,
        None => nodes[parent as usize].first_child = child,
    }
}
