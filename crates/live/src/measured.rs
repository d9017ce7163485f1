//! What was measured: by method, and for whom methods of the JDK work.

use std::cmp::Reverse;
use std::fmt;

use base::wildcard::matches;
use profile::class_loading::loads_classes;
use profile::platform::is_platform;
use profile::{KnownMethods, LiveContext, texts};
use rustc_hash::FxHashMap;

/// What a context has counted: calls, bytecodes, allocations, elements moved, bytes.
pub type Counts = [u64; 5];

/// Bytecodes, allocations and bytes, with those of the JDK.
type WithJdk = [u64; 3];

/// What reflection generates when a member is first called, or called often: the JVM has no
/// part in it, so only names tell.
const GENERATED: [&str; 4] = [
    "jdk.internal.reflect.MethodAccessorGenerator.*",
    "jdk.internal.reflect.MethodHandleAccessorFactory.*",
    "jdk.internal.reflect.ReflectionFactory.new*",
    "jdk.internal.reflect.ClassDefiner.*",
];

/// What is asked of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Traits {
    /// It does what happens once, wherever the program comes by first.
    pub happens_once: bool,
    /// It belongs to the JDK.
    pub is_of_jdk: bool,
}

impl Traits {
    /// Of the method at a place.
    pub fn of(place: u32, methods: KnownMethods<'_>) -> Self {
        let Some((class, method)) = methods.method(place) else {
            return Self { happens_once: false, is_of_jdk: false };
        };
        let name = format!("{}.{}", class.name, method.name);
        let happens_once = method.name == "<clinit>"
            || loads_classes(&class.name, &method.name, methods.superclasses(class))
            || GENERATED.iter().any(|pattern| matches(pattern, &name));
        let is_of_jdk = is_platform(&class.name, &class.definition);
        Self { happens_once, is_of_jdk }
    }
}

/// What was executed, by method.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Measured {
    methods: Vec<MeasuredMethod>,
    has_bytes: bool,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct MeasuredMethod {
    class: String,
    method: String,
    counts: Counts,
    /// Bytecodes, allocations and bytes, with those of the methods of the JDK that work for it.
    with_jdk: WithJdk,
}

impl Measured {
    /// Sums contexts up, each after its caller; bytes as well, if they are counted. `None` if
    /// `within` was not called.
    pub(crate) fn of(
        contexts: &[(LiveContext, Counts)],
        has_bytes: bool,
        within: Option<&str>,
        traits: &[Option<Traits>],
        methods: KnownMethods<'_>,
    ) -> Option<Self> {
        let is_of_jdk = |method: u32| {
            let known = traits.get(method as usize).copied().flatten();
            known.is_some_and(|traits| traits.is_of_jdk)
        };
        let mut sums: FxHashMap<u32, (Counts, WithJdk)> = FxHashMap::default();
        // Callers that are not of the JDK, with their depths.
        let mut callers: Vec<(u32, u32)> = Vec::new();
        let mut inside: Option<u32> = None;
        let mut was_called = within.is_none();
        for &(context, counts) in contexts {
            let LiveContext { depth, method, .. } = context;
            while callers.last().is_some_and(|&(of_caller, _)| of_caller >= depth) {
                callers.pop();
            }
            if inside.is_some_and(|of_first| depth <= of_first) {
                inside = None;
            }
            // Without a node of its own a method calls nothing.
            let has_node = context.site.is_none();
            if has_node && !is_of_jdk(method) {
                callers.push((depth, method));
            }
            if let Some(within) = within
                && inside.is_none()
                && has_node
                && is_named(methods, method, within)
            {
                inside = Some(depth);
                was_called |= counts[0] > 0;
            }
            if within.is_some() && inside.is_none() {
                continue;
            }
            let own = &mut sums.entry(method).or_default().0;
            for (sum, more) in own.iter_mut().zip(counts) {
                *sum = sum.saturating_add(more);
            }
            let for_whom = callers.last().map_or(method, |&(_, caller)| caller);
            let with_jdk = &mut sums.entry(for_whom).or_default().1;
            for (sum, more) in with_jdk.iter_mut().zip([counts[1], counts[2], counts[4]]) {
                *sum = sum.saturating_add(more);
            }
        }
        was_called.then(|| Self::named(sums, has_bytes, methods))
    }

    fn named(
        sums: FxHashMap<u32, (Counts, WithJdk)>,
        has_bytes: bool,
        methods: KnownMethods<'_>,
    ) -> Self {
        let named = sums.into_iter().filter_map(|(place, (counts, with_jdk))| {
            let (class, method) = methods.method(place)?;
            let class = class.name.clone();
            let method = texts::split(&method.name).0.to_owned();
            Some(MeasuredMethod { class, method, counts, with_jdk })
        });
        let mut methods: Vec<MeasuredMethod> = named.collect();
        methods.sort_by(|one, other| {
            let order = |of: &MeasuredMethod| (Reverse(of.with_jdk), Reverse(of.counts));
            let names = (&one.class, &one.method).cmp(&(&other.class, &other.method));
            order(one).cmp(&order(other)).then(names)
        });
        Self { methods, has_bytes }
    }
}

fn is_named(methods: KnownMethods<'_>, place: u32, name: &str) -> bool {
    let mut parts = name.split('\t');
    methods.method(place).is_some_and(|(class, method)| {
        [&class.name, texts::split(&method.name).0, &method.descriptor]
            .iter()
            .all(|part| parts.next() == Some(part))
    })
}

/// As programs get it: a line with all bytecodes, allocations and elements moved, and one for
/// each method with its calls, bytecodes and allocations, both again with those of the JDK's
/// methods that work for it, class and name. Tabs are in between. Where bytes are counted, each
/// line ends with those: all, or with those of the JDK.
impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sum = |at: usize| {
            self.methods.iter().fold(0u64, |sum, method| sum.saturating_add(method.counts[at]))
        };
        let bytes = |bytes: u64| if self.has_bytes { format!("\t{bytes}") } else { String::new() };
        writeln!(f, "{}\t{}\t{}{}", sum(1), sum(2), sum(3), bytes(sum(4)))?;
        for MeasuredMethod { class, method, counts, with_jdk } in &self.methods {
            let [calls, bytecodes, objects, ..] = counts;
            let [bytecodes_with_jdk, objects_with_jdk, bytes_with_jdk] = *with_jdk;
            write!(f, "{calls}\t{bytecodes}\t{objects}\t{bytecodes_with_jdk}\t")?;
            writeln!(f, "{objects_with_jdk}\t{class}\t{method}{}", bytes(bytes_with_jdk))?;
        }
        Ok(())
    }
}
