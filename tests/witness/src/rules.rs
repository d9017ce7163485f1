//! Which numbers are not compared, and why. `docs/explanation/exactness.md` tells users the
//! same; nothing else is exempt.

use std::collections::HashSet;

use profile::Profile;

use crate::name::Method;

/// What a profile says that it does not show.
///
/// Such frames are transparent: what they call belongs to the next frame
/// outwards that is shown.
#[derive(Debug, Default)]
pub struct Skipped {
    classes: HashSet<String>,
    /// Class, and name with descriptor.
    methods: HashSet<(String, String)>,
}

impl Skipped {
    /// The list of a profile.
    pub fn of(profile: &Profile) -> Self {
        let mut skipped = Self::default();
        for entry in &profile.skipped {
            let class = Method::new(&entry.class, "", "").class;
            if entry.method.is_empty() {
                skipped.classes.insert(class);
            } else {
                skipped.methods.insert((class, entry.method.clone()));
            }
        }
        skipped
    }

    /// True if the profile says that it leaves this method out, or if no agent
    /// can see it.
    pub fn contains(&self, method: &Method) -> bool {
        self.classes.contains(&method.class)
            || self
                .methods
                .contains(&(method.class.clone(), format!("{}{}", method.name, method.descriptor)))
            || is_added_by_the_jvm(method)
    }

    /// True for methods that have no probes and are counted where they are
    /// called, so that a caller without bytecodes or without probes does not
    /// count them: natives, and the constructor of `Object`.
    pub fn needs_counting_caller(&self, method: &Method, is_native: bool) -> bool {
        is_native || (method.class == "java.lang.Object" && method.name == "<init>")
    }
}

/// True for the methods that HotSpot adds to the events of the flight recorder
/// when it has parsed them, after agents have seen their bytes. All they do is
/// return.
fn is_added_by_the_jvm(method: &Method) -> bool {
    method.class.starts_with("jdk.internal.event.")
        && method.class != "jdk.internal.event.Event"
        && ["begin", "end", "commit", "isEnabled", "shouldCommit"].contains(&method.name.as_str())
}

/// What runs elsewhere, or at another time, because an agent changes classes:
/// the JVM calls the first for each module with such a class, and that
/// initialises the second. Class and method.
const OF_AGENTS: [(&str, &str); 2] = [
    ("jdk.internal.module.Modules", "transformedByAgent"),
    ("java.lang.Module$ReflectionData", "<clinit>"),
];

/// True if this method is left out, and all below it.
pub fn is_of_agents(method: &Method) -> bool {
    OF_AGENTS.contains(&(method.class.as_str(), method.name.as_str()))
}

/// Where the agent changes what the class library does.
///
/// It hides its members from reflection by the class library's own tables of
/// hidden members, which are then larger and, where they were empty, of another
/// class. And `transformedByAgent` adds to the table of which module reads which
/// other. Looking something up in them takes another way; what is found is the
/// same. Class and method; any method of the class if there is none.
const TABLES: [(&str, Option<&str>); 6] = [
    ("jdk.internal.reflect.Reflection", Some("filterFields")),
    ("jdk.internal.reflect.Reflection", Some("filterMethods")),
    ("jdk.internal.reflect.Reflection", Some("filter")),
    ("jdk.internal.reflect.Reflection", Some("registerFieldsToFilter")),
    ("jdk.internal.reflect.Reflection", Some("registerMethodsToFilter")),
    ("java.lang.WeakPairMap", None),
];

/// True if only the calls of this method are compared, neither its bytecodes nor
/// what it calls.
pub fn is_opaque(method: &Method) -> bool {
    TABLES
        .iter()
        .any(|(class, name)| method.class == *class && name.is_none_or(|name| method.name == name))
}
