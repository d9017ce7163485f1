//! The classes and methods of all profiles folded so far, each once by its name.

use std::collections::BTreeMap;
use std::sync::Arc;

use profile::blocks::{Block, MethodBlocks};
use profile::{AllocatedBytes, CallSite, ClassId, ClassInfo, MethodId, MethodInfo, Profile};
use rustc_hash::FxHashMap;

use crate::names::method::Method;

/// Tables of a profile that grow with each one that is folded.
#[derive(Debug, Default)]
pub struct Methods {
    /// All classes.
    pub classes: Vec<ClassInfo>,
    /// All methods.
    pub methods: Vec<MethodInfo>,
    /// A hash of the code of each method, 0 if it is not known.
    pub code_hashes: Vec<u64>,
    class_numbers: FxHashMap<String, u32>,
    method_numbers: FxHashMap<Method, u32>,
    blocks: BTreeMap<u32, MethodBlocks>,
    /// Bytes by method and allocated class.
    allocated: BTreeMap<(u32, String), u64>,
}

/// The new numbers of what is in one profile.
#[derive(Debug)]
pub struct Numbers {
    /// Of its methods.
    pub methods: Vec<u32>,
    /// Of the call sites of each.
    pub sites: Vec<Vec<u32>>,
}

impl Methods {
    /// Adds what a valid profile knows of its classes and methods.
    pub fn add(&mut self, profile: &Profile) -> Numbers {
        let classes: Vec<u32> = profile.classes.iter().map(|class| self.class(class)).collect();
        let mut numbers = Numbers { methods: Vec::new(), sites: Vec::new() };
        for method in &profile.methods {
            let number = self.method(classes[method.class.0 as usize], method);
            numbers.methods.push(number);
            numbers.sites.push(unite_sites(&mut self.methods[number as usize], &method.sites));
        }
        self.add_code(profile, &numbers.methods);
        self.add_blocks(profile, &numbers.methods);
        for one in &profile.allocated {
            let key = (numbers.methods[one.method.0 as usize], one.class.clone());
            let known = self.allocated.entry(key).or_default();
            *known = known.saturating_add(one.bytes);
        }
        numbers
    }

    /// Executions of basic blocks, in the order of the methods.
    pub fn take_blocks(&mut self) -> Vec<MethodBlocks> {
        std::mem::take(&mut self.blocks).into_values().collect()
    }

    /// Bytes by method and allocated class, in the order of the methods.
    pub fn take_allocated(&mut self) -> Vec<AllocatedBytes> {
        let known = std::mem::take(&mut self.allocated).into_iter();
        known
            .map(|((method, class), bytes)| AllocatedBytes {
                method: MethodId(method),
                class,
                bytes,
            })
            .collect()
    }

    fn class(&mut self, class: &ClassInfo) -> u32 {
        if let Some(&number) = self.class_numbers.get(&class.name) {
            let known = &mut self.classes[number as usize];
            for (known, more) in [
                (&mut known.source_file, &class.source_file),
                (&mut known.superclass, &class.superclass),
            ] {
                if known.is_empty() {
                    known.clone_from(more);
                }
            }
            if !known.definition.is_known() {
                known.definition = Arc::clone(&class.definition);
            }
            return number;
        }
        // A profile's tables are numbered in 32 bits, and so are those of all together:
        // names differ.
        let number = self.classes.len() as u32;
        self.classes.push(class.clone());
        self.class_numbers.insert(class.name.clone(), number);
        number
    }

    fn method(&mut self, class: u32, method: &MethodInfo) -> u32 {
        let key = Method {
            class: self.classes[class as usize].name.clone(),
            name: method.name.clone(),
            descriptor: method.descriptor.clone(),
        };
        if let Some(&number) = self.method_numbers.get(&key) {
            let known = &mut self.methods[number as usize];
            if known.access == 0 {
                known.access = method.access;
            }
            return number;
        }
        let number = self.methods.len() as u32;
        self.methods.push(MethodInfo { class: ClassId(class), ..method.clone() });
        self.code_hashes.push(0);
        self.method_numbers.insert(key, number);
        number
    }

    /// Takes over the hashes of methods that were not known. Several loaders may define
    /// the same class; then all versions of a method have one hash together, as when
    /// profiles are compared ([`analysis::diff::code::Code`]).
    fn add_code(&mut self, profile: &Profile, numbers: &[u32]) {
        let known = numbers.iter().copied().zip(profile.code_hashes.iter().copied());
        let mut hashes: Vec<(u32, u64)> = known.filter(|&(_, hash)| hash != 0).collect();
        hashes.sort_unstable();
        hashes.dedup();
        for of_method in hashes.chunk_by(|(one, _), (other, _)| one == other) {
            let together = of_method.iter().map(|&(_, hash)| hash);
            let together = together.reduce(|hash, more| hash.rotate_left(7) ^ more);
            let hash = &mut self.code_hashes[of_method[0].0 as usize];
            if *hash == 0 {
                *hash = together.unwrap_or_default();
            }
        }
    }

    fn add_blocks(&mut self, profile: &Profile, numbers: &[u32]) {
        if profile.blocks.is_empty() {
            return;
        }
        let calls = profile.by_method("calls");
        for blocks in &profile.blocks {
            let at = blocks.method.0 as usize;
            let mut blocks = blocks.clone();
            blocks.method = MethodId(numbers[at]);
            // What was executed as often as the method was called would count the calls
            // of all profiles otherwise.
            for block in &mut blocks.blocks {
                block.times.get_or_insert(calls[at]);
            }
            match self.blocks.get_mut(&numbers[at]) {
                Some(known) => unite_blocks(known, blocks),
                None => {
                    self.blocks.insert(numbers[at], blocks);
                }
            }
        }
    }
}

/// Adds the call sites of a method and returns their new numbers, counted from 1.
fn unite_sites(known: &mut MethodInfo, sites: &[CallSite]) -> Vec<u32> {
    if known.sites.starts_with(sites) {
        return (1..=sites.len() as u32).collect();
    }
    let mut numbers: FxHashMap<CallSite, u32> =
        known.sites.iter().zip(1..).map(|(&site, number)| (site, number)).collect();
    let of_method = sites.iter().map(|&site| {
        *numbers.entry(site).or_insert_with(|| {
            known.sites.push(site);
            known.sites.len() as u32
        })
    });
    of_method.collect()
}

/// Adds counts to those of a method. Blocks of other code stand beside those known.
fn unite_blocks(known: &mut MethodBlocks, more: MethodBlocks) {
    let runs = |blocks: &[Block]| blocks.iter().map(|block| block.runs.clone()).collect::<Vec<_>>();
    if runs(&known.blocks) != runs(&more.blocks) {
        let offset = known.blocks.len() as u32;
        known.blocks.extend(more.blocks);
        for mut cut in more.cuts {
            cut.block += offset;
            known.cuts.push(cut);
        }
        return;
    }
    for (known, more) in known.blocks.iter_mut().zip(more.blocks) {
        let times = known.times.unwrap_or_default();
        known.times = Some(times.saturating_add(more.times.unwrap_or_default()));
    }
    for cut in more.cuts {
        let same =
            known.cuts.iter_mut().find(|k| (k.block, k.executed) == (cut.block, cut.executed));
        match same {
            Some(same) => same.times = same.times.saturating_add(cut.times),
            None => known.cuts.push(cut),
        }
    }
}
