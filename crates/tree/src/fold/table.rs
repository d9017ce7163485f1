//! Contexts that were merged elsewhere, by their keys, in place of those of profiles.

use rustc_hash::FxHashMap;

use super::{Fold, Methods};
use crate::error::{Error, Result};
use crate::keys::{Key, METRICS, NO_SITE, context_key, method_key, site_of, thread_key};
use crate::names::method::Method;

/// A context of several profiles.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Row {
    /// Its key.
    pub key: Key,
    /// The key of its caller, or of its thread.
    pub parent: Key,
    /// The key of its method.
    pub method: Key,
    /// Bytecode index and line of its call site.
    pub site: (i32, i32),
    /// Sums of costs by [`METRICS`].
    pub metrics: [Option<u64>; METRICS.len()],
    /// The sum of the usual cost.
    pub exclusive: u64,
    /// Of how many contexts it was merged.
    pub rows: u64,
}

/// Where the cost of a metric stands in a row.
#[derive(Debug, Clone, Copy)]
enum Cost {
    Column(usize),
    Exclusive,
}

impl Cost {
    fn of(self, row: &Row) -> Option<u64> {
        match self {
            Self::Column(at) => row.metrics[at],
            Self::Exclusive => Some(row.exclusive),
        }
    }
}

impl Fold {
    /// Takes contexts that were merged elsewhere, in the order in which they first appear in
    /// the profiles that were added; these had none themselves.
    ///
    /// # Errors
    /// If they are those of other profiles.
    pub fn take(&mut self, rows: &[Row]) -> Result<()> {
        if self.contexts.len() > 0 {
            return Err(Error::new("the profiles have contexts themselves"));
        }
        let costs = self.costs()?;
        let methods = numbers(&self.methods);
        let threads = self.thread_numbers.iter();
        let threads: FxHashMap<Key, u32> =
            threads.map(|(name, &number)| (thread_key(name), number)).collect();
        let mut sites = Sites::default();
        let mut known: FxHashMap<Key, u32> = FxHashMap::default();
        known.reserve(rows.len());
        let mut values = vec![0; costs.len()];
        for row in rows {
            let other = || Error::new("the contexts are of other profiles, or of other keys");
            if row.key != context_key(row.parent, row.method, row.site) {
                return Err(other());
            }
            let method = *methods.get(&row.method).ok_or_else(other)?;
            for (value, cost) in values.iter_mut().zip(&costs) {
                *value = cost.of(row).ok_or_else(other)?;
            }
            let number = match (threads.get(&row.parent), known.get(&row.parent)) {
                (Some(&thread), _) => self.contexts.push_root(thread, method, &values)?,
                (None, Some(&parent)) => {
                    let caller = self.contexts.method(parent);
                    let site = sites.number(&self.methods, caller, row.site).ok_or_else(other)?;
                    self.contexts.push(parent, method, site, &values)?
                }
                (None, None) => return Err(other()),
            };
            if known.insert(row.key, number).is_some() {
                return Err(Error::new("a context is there twice: the table is not merged"));
            }
            self.rows += row.rows;
        }
        Ok(())
    }

    /// Where the costs of the metrics are.
    fn costs(&self) -> Result<Vec<Cost>> {
        let others = self.metrics.iter().filter(|name| !METRICS.contains(&name.as_str()));
        let others = others.count();
        let cost = |name: &String| match METRICS.iter().position(|known| known == name) {
            Some(at) => Ok(Cost::Column(at)),
            // Alone it is the usual one.
            None if others == 1 && !self.metrics.iter().any(|name| name == "bytecodes") => {
                Ok(Cost::Exclusive)
            }
            None => Err(Error::new(format!("tables of contexts have no costs of {name}"))),
        };
        self.metrics.iter().map(cost).collect()
    }
}

/// Numbers of methods by their keys.
fn numbers(methods: &Methods) -> FxHashMap<Key, u32> {
    let keys = methods.methods.iter().map(|method| {
        method_key(&Method {
            class: methods.classes[method.class.0 as usize].name.clone(),
            name: method.name.clone(),
            descriptor: method.descriptor.clone(),
        })
    });
    keys.zip(0..).collect()
}

/// Numbers of the call sites of methods, which are asked for one after the other.
#[derive(Debug, Default)]
struct Sites {
    of_method: FxHashMap<u32, FxHashMap<(i32, i32), u32>>,
}

impl Sites {
    fn number(&mut self, methods: &Methods, caller: u32, site: (i32, i32)) -> Option<u32> {
        if site == NO_SITE {
            return Some(0);
        }
        let sites = self.of_method.entry(caller).or_insert_with(|| {
            let sites = &methods.methods[caller as usize].sites;
            sites.iter().map(|&site| site_of(site)).zip(1..).collect()
        });
        sites.get(&site).copied()
    }
}
