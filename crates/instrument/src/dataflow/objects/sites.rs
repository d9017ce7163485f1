//! Numbers of allocation sites.

use parking_lot::RwLock;
use profile::dataflow::SiteKind;
use rustc_hash::FxHashMap;

/// Where objects are made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllocationSite {
    /// Number of the method; 0 for objects of which nobody saw how they were
    /// made.
    pub method: u32,
    /// Bytecode index of the instruction.
    pub bci: u16,
    /// Its source line, 0 if unknown.
    pub line: u16,
    /// How they are made.
    pub kind: SiteKind,
    /// Internal name of their class, or the descriptor of their array class.
    pub class: Box<str>,
    /// Decides about the slot of contexts in which such an object is the
    /// receiver: the same in every run.
    pub hash: u32,
    /// True if what is made here may belong to the code that called for it.
    pub is_provisional: bool,
}

/// Sites are numbered from 1 and below this, so that a site and a context fit
/// into a word of the probes.
pub const SITES: u32 = 1 << 20;

/// All sites of a recording.
#[derive(Debug, Default)]
pub struct Sites {
    inner: RwLock<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    /// The site with number n stands at n - 1.
    sites: Vec<AllocationSite>,
    by_place: FxHashMap<(u32, u16), u32>,
    untracked: FxHashMap<Box<str>, u32>,
}

impl Sites {
    /// The number of a site; a class that is rewritten again gets the same.
    /// `None` when all numbers are taken.
    pub fn number(&self, site: AllocationSite) -> Option<u32> {
        let key = (site.method, site.bci);
        let mut inner = self.inner.write();
        if let Some(&number) = inner.by_place.get(&key) {
            return Some(number);
        }
        let number = inner.push(site)?;
        inner.by_place.insert(key, number);
        Some(number)
    }

    /// The number of the site that stands for objects of a class that nobody
    /// saw being made.
    pub fn untracked(&self, class: &str) -> Option<u32> {
        let mut inner = self.inner.write();
        if let Some(&number) = inner.untracked.get(class) {
            return Some(number);
        }
        let number = inner.push(AllocationSite {
            method: 0,
            bci: 0,
            line: 0,
            kind: SiteKind::Untracked,
            class: class.into(),
            hash: hash_of([class.as_bytes()]),
            is_provisional: true,
        })?;
        inner.untracked.insert(class.into(), number);
        Some(number)
    }

    /// What is known of a site.
    pub fn get(&self, number: u32) -> Option<AllocationSite> {
        self.inner.read().sites.get(number.checked_sub(1)? as usize).cloned()
    }
}

impl Inner {
    fn push(&mut self, site: AllocationSite) -> Option<u32> {
        let number = self.sites.len() as u32 + 1;
        (number < SITES).then(|| {
            self.sites.push(site);
            number
        })
    }
}

/// A hash that is the same in every run: FNV-1a over the parts, each with an
/// end, and a last mix so that small numbers of slots get all its bits.
pub fn hash_of<'a>(parts: impl IntoIterator<Item = &'a [u8]>) -> u32 {
    let mut hash = 0x811C_9DC5_u32;
    for part in parts {
        for &byte in part.iter().chain(&[0xFF]) {
            hash = (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        }
    }
    hash ^= hash >> 16;
    hash = hash.wrapping_mul(0x85EB_CA6B);
    hash ^ hash >> 13
}

#[cfg(test)]
mod tests {
    use super::*;

    fn site(method: u32, bci: u16) -> AllocationSite {
        AllocationSite {
            method,
            bci,
            line: 0,
            kind: SiteKind::New,
            class: "a/B".into(),
            hash: 0,
            is_provisional: false,
        }
    }

    #[test]
    fn a_place_keeps_its_number() {
        let sites = Sites::default();
        let numbers: Vec<_> =
            [(1, 0), (1, 7), (2, 0), (1, 7)].map(|(m, bci)| sites.number(site(m, bci))).into();
        assert_eq!(numbers, [Some(1), Some(2), Some(3), Some(2)]);
        assert_eq!(sites.get(2).map(|site| site.bci), Some(7));
        assert_eq!((sites.get(0), sites.get(4)), (None, None));
    }

    #[test]
    fn each_class_has_one_site_of_its_own() {
        let sites = Sites::default();
        let first = sites.untracked("a/B");
        assert_eq!(sites.untracked("a/B"), first);
        assert_ne!(sites.untracked("a/C"), first);
    }

    #[test]
    fn parts_of_a_hash_have_ends() {
        assert_ne!(hash_of([b"ab".as_slice(), b"c"]), hash_of([b"a".as_slice(), b"bc"]));
    }
}
