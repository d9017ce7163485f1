//! Contexts that lie below some methods, or do not.

use profile::{NO_PARENT, Profile};

use crate::error::{Error, Result};
use crate::kept::{new_numbers, retain};
use crate::names::method::qualified;
use crate::names::pattern::Pattern;
use crate::start_up::JVM_START;

/// Names for what most people want away, and the methods that they stand for.
const NAMED: [(&str, &str); 2] = [
    ("jvm-start", JVM_START),
    // Finding, defining and linking classes, lambdas and concatenations.
    (
        "class-loading",
        "*.loadClass;*.findClass;*.defineClass*;java.lang.ClassLoader.*;\
         java.lang.Class.forName*;jdk.internal.loader.*;java.lang.invoke.MethodHandleNatives.*",
    ),
];

/// Which contexts of a profile are of interest, by the methods on their paths.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only contexts with such a method on the path, or of such a method.
    under: Option<Pattern>,
    /// Only contexts without.
    without: Option<Pattern>,
}

impl Filter {
    /// True if it lets everything through.
    pub fn is_open(&self) -> bool {
        self.under.is_none() && self.without.is_none()
    }

    /// A filter by patterns of `Class.name` or ends of such names, or by one of the names `jvm-start` and
    /// `class-loading`; nothing filters nothing.
    pub fn new(under: Option<&str>, without: Option<&str>) -> Self {
        Self { under: under.map(pattern), without: without.map(pattern) }
    }

    /// Takes the other contexts out of a profile. Contexts on the way to those that
    /// stay do so, too, without costs.
    ///
    /// # Errors
    /// If no context lies below a method that the filter names.
    pub fn apply(&self, profile: &mut Profile) -> Result<()> {
        if self.is_open() {
            return Ok(());
        }
        let methods = |pattern: &Option<Pattern>| -> Vec<bool> {
            let Some(pattern) = pattern else { return Vec::new() };
            let names = profile.methods.iter().map(|method| {
                let class = profile.classes.get(method.class.0 as usize);
                qualified(class.map_or("", |class| &class.name), &method.name)
            });
            names.map(|name| pattern.matches(&name)).collect()
        };
        let (under, without) = (methods(&self.under), methods(&self.without));
        let named = |of: &[bool], method: u32| of.get(method as usize).copied().unwrap_or(false);
        let nodes = &profile.nodes;
        if let Some(pattern) = &self.under
            && !nodes.method.iter().any(|&method| named(&under, method))
        {
            return Err(Error::absent(format!(
                "no method matches {pattern} (names are as in 'Parser.next', or '*.parser.*')"
            )));
        }

        let mut fate: Vec<Fate> = Vec::with_capacity(nodes.len());
        for (&method, &parent) in nodes.method.iter().zip(&nodes.parent) {
            let above = match parent {
                NO_PARENT if self.under.is_some() => Fate::OnTheWay,
                NO_PARENT => Fate::Stays,
                parent => fate.get(parent as usize).copied().unwrap_or(Fate::Goes),
            };
            fate.push(match above {
                _ if above == Fate::Goes || named(&without, method) => Fate::Goes,
                Fate::OnTheWay if !named(&under, method) => Fate::OnTheWay,
                _ => Fate::Stays,
            });
        }
        // On the way to nothing is as good as gone.
        let mut leads = vec![false; fate.len()];
        for node in (0..fate.len()).rev() {
            leads[node] |= fate[node] == Fate::Stays;
            let parent = nodes.parent[node];
            if parent != NO_PARENT && leads[node] {
                leads[parent as usize] = true;
            }
        }
        keep(profile, &fate, &leads);
        Ok(())
    }
}

/// What becomes of a context.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    /// It is of interest.
    Stays,
    /// It is of interest only if one below it is.
    OnTheWay,
    /// It is of no interest, nor is what lies below.
    Goes,
}

fn keep(profile: &mut Profile, fate: &[Fate], leads: &[bool]) {
    let nodes = &mut profile.nodes;
    let number = new_numbers(leads);
    for parent in nodes.parent.iter_mut().filter(|parent| **parent != NO_PARENT) {
        *parent = number[*parent as usize];
    }
    retain(&mut nodes.method, leads);
    retain(&mut nodes.parent, leads);
    retain(&mut nodes.site, leads);
    for metric in &mut nodes.metrics {
        for (value, fate) in metric.values.iter_mut().zip(fate) {
            if *fate != Fate::Stays {
                *value = 0;
            }
        }
        retain(&mut metric.values, leads);
    }
    // They are those of the whole run.
    profile.blocks.clear();
    for thread in &mut profile.threads {
        thread.nodes = number[thread.nodes.start as usize]..number[thread.nodes.end as usize];
    }
}

/// The pattern that a name stands for, or the one that was given.
fn pattern(text: &str) -> Pattern {
    let alternatives = text.split(';').map(|part| {
        NAMED.iter().find(|(name, _)| *name == part).map_or(part, |(_, methods)| methods)
    });
    Pattern::of_names(&alternatives.collect::<Vec<_>>().join(";"))
}
