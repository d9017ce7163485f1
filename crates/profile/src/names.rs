//! Names for people.

use std::fmt;

use crate::{CallSite, MethodId, NO_PARENT, NodeId, Profile};

/// A method with its class, shown as `java.lang.String.length`; the alternate
/// form (`{:#}`) adds the descriptor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct QualifiedName<'a> {
    /// Binary class name with dots; empty for frames of no class.
    pub class: &'a str,
    /// Method name.
    pub name: &'a str,
    /// Descriptor, empty if unknown.
    pub descriptor: &'a str,
}

impl fmt::Display for QualifiedName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.class.is_empty() {
            write!(f, "{}.", self.class)?;
        }
        f.write_str(self.name)?;
        if f.alternate() { f.write_str(self.descriptor) } else { Ok(()) }
    }
}

impl Profile {
    /// The name of a method.
    ///
    /// # Panics
    ///
    /// When the id is not of this profile.
    pub fn name(&self, method: MethodId) -> QualifiedName<'_> {
        let info = &self.methods[method.0 as usize];
        QualifiedName {
            class: &self.classes[info.class.0 as usize].name,
            name: &info.name,
            descriptor: &info.descriptor,
        }
    }

    /// The names of all methods, in the order of their numbers.
    pub fn names(&self) -> impl ExactSizeIterator<Item = QualifiedName<'_>> {
        (0..self.methods.len()).map(|index| self.name(MethodId(index as u32)))
    }

    /// Where a context is called in its parent's method; `None` for a root and
    /// for calls by the JVM or by frames that are not instrumented.
    ///
    /// # Panics
    ///
    /// When the id is not of this profile.
    pub fn call_site(&self, node: NodeId) -> Option<CallSite> {
        let at = node.0 as usize;
        let parent = self.nodes.parent[at];
        if parent == NO_PARENT {
            return None;
        }
        let caller = &self.methods[self.nodes.method[parent as usize] as usize];
        let number = (self.nodes.site[at] as usize).checked_sub(1)?;
        caller.sites.get(number).copied()
    }
}

#[cfg(test)]
mod tests {
    use crate::{ClassId, ClassInfo, MethodInfo, Profile};

    #[test]
    fn names_have_their_class_and_on_demand_their_descriptor() {
        let method =
            |class, name: &str, descriptor: &str| MethodInfo::new(ClassId(class), name, descriptor);
        let class = |name: &str| ClassInfo { name: name.into(), ..ClassInfo::default() };
        let profile = Profile {
            classes: vec![class("java.util.Map$Entry"), class("")],
            methods: vec![method(0, "get", "()I"), method(1, "[gc]", "")],
            ..Profile::default()
        };
        let short: Vec<String> = profile.names().map(|name| name.to_string()).collect();
        assert_eq!(short, ["java.util.Map$Entry.get", "[gc]"]);
        let long: Vec<String> = profile.names().map(|name| format!("{name:#}")).collect();
        assert_eq!(long, ["java.util.Map$Entry.get()I", "[gc]"]);
    }
}
