//! Encodes the tables of a profile.

use std::collections::HashMap;
use std::io::Write;

use base::leb128::put;

use super::section::{self, kind};
use crate::blocks::MethodBlocks;
use crate::cursor::put_string;
use crate::dataflow::DataFlow;
use crate::{AllocatedBytes, ClassInfo, Error, MethodInfo, RunInfo, Skipped, ThreadTree};

/// The tables of a profile, which are written behind its contexts.
#[derive(Debug, Clone, Copy)]
pub struct Tables<'a> {
    /// See [`Profile::run`](crate::Profile::run).
    pub run: &'a RunInfo,
    /// See [`Profile::classes`](crate::Profile::classes).
    pub classes: &'a [ClassInfo],
    /// See [`Profile::methods`](crate::Profile::methods).
    pub methods: &'a [MethodInfo],
    /// See [`Profile::threads`](crate::Profile::threads); their ranges are those between the calls of
    /// [`CompactWriter::end_thread`](crate::CompactWriter::end_thread).
    pub threads: &'a [ThreadTree],
    /// See [`Profile::skipped`](crate::Profile::skipped).
    pub skipped: &'a [Skipped],
    /// See [`Profile::dataflow`](crate::Profile::dataflow).
    pub dataflow: &'a DataFlow,
    /// See [`Profile::code_hashes`](crate::Profile::code_hashes).
    pub code_hashes: &'a [u64],
    /// See [`Profile::blocks`](crate::Profile::blocks).
    pub blocks: &'a [MethodBlocks],
    /// See [`Profile::allocated`](crate::Profile::allocated).
    pub allocated: &'a [AllocatedBytes],
}

/// Strings by index, each stored once.
#[derive(Default)]
struct Strings<'a> {
    indices: HashMap<&'a str, u64>,
    /// The encoded strings, in the order of their indices.
    bytes: Vec<u8>,
}

impl<'a> Strings<'a> {
    fn put(&mut self, out: &mut Vec<u8>, text: &'a str) {
        let next = self.indices.len() as u64;
        let index = *self.indices.entry(text).or_insert_with(|| {
            put_string(&mut self.bytes, text);
            next
        });
        put(out, index);
    }
}

/// Writes all tables. Returns the number of sections and of bytes.
pub(super) fn write(out: &mut impl Write, tables: &Tables<'_>) -> Result<(u64, u64), Error> {
    let mut strings = Strings::default();

    let mut classes = counted(tables.classes.len());
    for class in tables.classes {
        strings.put(&mut classes, &class.name);
        strings.put(&mut classes, &class.source_file);
        strings.put(&mut classes, &class.superclass);
    }

    let mut methods = counted(tables.methods.len());
    let mut sites = Vec::new();
    for method in tables.methods {
        put(&mut methods, u64::from(method.class.0));
        strings.put(&mut methods, &method.name);
        strings.put(&mut methods, &method.descriptor);
        put(&mut methods, u64::from(method.access));
        put(&mut sites, method.sites.len() as u64);
        for site in &method.sites {
            put(&mut sites, u64::from(site.bci));
            put(&mut sites, u64::from(site.line));
        }
    }

    let mut threads = counted(tables.threads.len());
    for thread in tables.threads {
        strings.put(&mut threads, &thread.name);
        put(&mut threads, u64::from(thread.threads));
        put(&mut threads, u64::from(thread.nodes.end - thread.nodes.start));
    }

    let mut skipped = counted(tables.skipped.len());
    for entry in tables.skipped {
        strings.put(&mut skipped, &entry.class);
        strings.put(&mut skipped, &entry.method);
        strings.put(&mut skipped, &entry.reason);
    }

    let pairs = tables.run.pairs();
    let mut run = counted(pairs.len());
    for (key, value) in &pairs {
        put_string(&mut run, key);
        put_string(&mut run, value);
    }

    let dataflow = dataflow_sections(tables.dataflow);

    let code = (!tables.code_hashes.is_empty()).then(|| {
        let bytes = tables.code_hashes.iter().flat_map(|hash| hash.to_le_bytes());
        (kind::CODE, bytes.collect::<Vec<u8>>())
    });

    let blocks = (!tables.blocks.is_empty()).then(|| {
        let mut blocks = counted(tables.blocks.len());
        for of_method in tables.blocks {
            of_method.encode(&mut blocks);
        }
        (kind::BLOCKS, blocks)
    });

    let allocated = (!tables.allocated.is_empty()).then(|| {
        let mut allocated = counted(tables.allocated.len());
        for one in tables.allocated {
            put(&mut allocated, u64::from(one.method.0));
            strings.put(&mut allocated, &one.class);
            put(&mut allocated, one.bytes);
        }
        (kind::ALLOCATED, allocated)
    });

    let are_known = tables.classes.iter().any(|class| class.definition.is_known());
    let definitions = are_known.then(|| {
        let mut definitions = Vec::new();
        for class in tables.classes {
            put(&mut definitions, class.definition.loader as u64);
            strings.put(&mut definitions, &class.definition.location);
        }
        (kind::DEFINITIONS, definitions)
    });

    let mut text = counted(strings.indices.len());
    text.extend_from_slice(&strings.bytes);

    let sections = [
        (kind::RUN, run),
        (kind::STRINGS, text),
        (kind::CLASSES, classes),
        (kind::METHODS, methods),
        (kind::SITES, sites),
        (kind::THREADS, threads),
        (kind::SKIPPED, skipped),
    ];
    let mut bytes = 0;
    let mut count = 0;
    let optional =
        dataflow.iter().chain(&blocks).chain(&allocated).chain(&code).chain(&definitions);
    for (kind, payload) in sections.iter().chain(optional) {
        bytes += section::write_table(out, *kind, payload)?;
        count += 1;
    }
    Ok((count, bytes))
}

/// The sections of the data flow that there is.
fn dataflow_sections(dataflow: &DataFlow) -> Vec<(u32, Vec<u8>)> {
    let mut sections = Vec::new();
    let mut add = |kind, encode: &dyn Fn(&mut Vec<u8>)| {
        let mut out = Vec::new();
        encode(&mut out);
        sections.push((kind, out));
    };
    if let Some(copies) = &dataflow.copies {
        add(kind::COPIES, &|out| copies.encode(out));
    }
    if let Some(costs) = &dataflow.costs {
        add(kind::COSTS, &|out| costs.encode(out));
    }
    if let Some(nulls) = &dataflow.nulls {
        add(kind::NULLS, &|out| nulls.encode(out));
    }
    if let Some(loops) = &dataflow.loops {
        add(kind::LOOPS, &|out| loops.encode(out));
    }
    if let Some(growth) = &dataflow.growth {
        add(kind::GROWTH, &|out| growth.encode(out));
    }
    if let Some(results) = &dataflow.results {
        add(kind::RESULTS, &|out| results.encode(out));
        if results.methods.iter().any(|one| one.empty.is_some()) {
            add(kind::EMPTY_RESULTS, &|out| results.encode_empty(out));
        }
    }
    if let Some(typestates) = &dataflow.typestates {
        add(kind::TYPESTATES, &|out| typestates.encode(out));
    }
    sections
}

/// The payload of a table that starts with its number of entries.
fn counted(entries: usize) -> Vec<u8> {
    let mut out = Vec::new();
    put(&mut out, entries as u64);
    out
}
