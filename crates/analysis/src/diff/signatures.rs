//! Methods whose signature is another one in the new profile.
//!
//! A method is known by its class, its name and its descriptor. Where the types of
//! its parameters or of its result change, a method is gone and another one is new:
//! two large rows that nearly cancel out, in place of one method that changed. The
//! two are taken for one method where no other could be meant: if one method of a
//! name is gone from a class and one is new in it, or one of each with so many
//! parameters.

use crate::diff::code::{Code, Sameness};
use tree::Tree;
use tree::names::descriptor;
use tree::names::method::Method;

/// Which method of the base is which one of the new profile.
#[derive(Debug, Default)]
pub struct Signatures {
    /// The method before and the method after, sorted by both at once: methods of
    /// one class and name are few.
    pairs: Vec<(Method, Method)>,
}

impl Signatures {
    /// Pairs the methods that are gone with those that are new, in classes that both
    /// profiles know.
    pub fn between(base: &Code, new: &Code) -> Self {
        let gone = base.missing_in(new);
        let fresh = new.missing_in(base);
        let mut pairs = Vec::new();
        for gone in gone.chunk_by(|one, other| place(one) == place(other)) {
            let start = fresh.partition_point(|method| place(method) < place(gone[0]));
            let end = fresh.partition_point(|method| place(method) <= place(gone[0]));
            pair(gone, &fresh[start..end], &mut pairs);
        }
        Self { pairs }
    }

    /// What a method of the base is in the new profile, if its signature changed.
    pub fn after(&self, method: &Method) -> Option<&Method> {
        self.of_place(method).iter().find(|(before, _)| before == method).map(|(_, after)| after)
    }

    /// What a method of the new profile is in the base, if its signature changed.
    pub fn before(&self, method: &Method) -> Option<&Method> {
        self.of_place(method).iter().find(|(_, after)| after == method).map(|(before, _)| before)
    }

    /// Whether a method, by its name in the new profile, has the same code in both.
    pub fn compare(&self, [base, new]: [&Code; 2], method: &Method) -> Sameness {
        match self.before(method) {
            Some(_) => Sameness::OtherSignature,
            None => base.compare(new, method),
        }
    }

    /// Gives the contexts of a tree of the base the methods that they have in the new
    /// profile, which are in the tree's table once it is aligned with the other trees.
    pub fn rename(&self, tree: &mut Tree) {
        let mut renamed: Vec<u32> = (0..tree.methods.len() as u32).collect();
        let mut any = false;
        for (before, after) in &self.pairs {
            let number = |method| tree.methods.binary_search(method).ok();
            if let (Some(before), Some(after)) = (number(before), number(after)) {
                renamed[before] = after as u32;
                any = true;
            }
        }
        if any {
            tree.method.iter_mut().for_each(|method| *method = renamed[*method as usize]);
        }
    }

    fn of_place(&self, method: &Method) -> &[(Method, Method)] {
        let start = self.pairs.partition_point(|(before, _)| place(before) < place(method));
        let end = self.pairs.partition_point(|(before, _)| place(before) <= place(method));
        &self.pairs[start..end]
    }
}

/// What a method keeps.
fn place(method: &Method) -> (&str, &str) {
    (&method.class, &method.name)
}

/// Pairs methods of one class and name, sorted by what they were.
fn pair(gone: &[&Method], fresh: &[&Method], pairs: &mut Vec<(Method, Method)>) {
    if let ([before], [after]) = (gone, fresh) {
        pairs.push(((*before).clone(), (*after).clone()));
        return;
    }
    for before in gone {
        let Some(count) = parameters(before) else { continue };
        let alike = |method: &&&Method| parameters(method) == Some(count);
        let mut candidates = fresh.iter().filter(alike);
        if let (1, Some(after), None) =
            (gone.iter().filter(alike).count(), candidates.next(), candidates.next())
        {
            pairs.push(((*before).clone(), (*after).clone()));
        }
    }
}

/// How many parameters a method has; `None` if its descriptor is none.
fn parameters(method: &Method) -> Option<usize> {
    descriptor::types(&method.descriptor).map(|(parameters, _)| parameters.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pairs(gone: &[&str], fresh: &[&str]) -> Vec<(String, String)> {
        let methods = |descriptors: &[&str]| -> Vec<Method> {
            let method = |descriptor: &&str| Method {
                class: "a.B".into(),
                name: "c".into(),
                descriptor: (*descriptor).into(),
            };
            descriptors.iter().map(method).collect()
        };
        let (gone, fresh) = (methods(gone), methods(fresh));
        let mut found = Vec::new();
        let (gone, fresh): (Vec<_>, Vec<_>) = (gone.iter().collect(), fresh.iter().collect());
        pair(&gone, &fresh, &mut found);
        found.into_iter().map(|(one, other)| (one.descriptor, other.descriptor)).collect()
    }

    #[test]
    fn only_what_can_be_meant_is_paired() {
        let expected = |pairs: &[(&str, &str)]| -> Vec<(String, String)> {
            pairs.iter().map(|(one, other)| ((*one).into(), (*other).into())).collect()
        };
        // One of each, whatever the signatures are.
        assert_eq!(pairs(&["()V"], &["(I)V"]), expected(&[("()V", "(I)V")]));
        assert_eq!(pairs(&[""], &["(I)V"]), expected(&[("", "(I)V")]));
        // Several: those alone with their number of parameters.
        assert_eq!(pairs(&["()V", "(I)V"], &["(J)V", "(JJ)V"]), expected(&[("(I)V", "(J)V")]));
        assert_eq!(
            pairs(&["()V", "(I)V"], &["()I", "(J)V"]),
            expected(&[("()V", "()I"), ("(I)V", "(J)V")])
        );
        assert_eq!(pairs(&["(I)V", "(J)V"], &["(D)V"]), expected(&[]));
        assert_eq!(pairs(&["(I)V"], &["(D)V", "(J)V"]), expected(&[]));
        assert_eq!(pairs(&["(I)V"], &[]), expected(&[]));
        assert_eq!(pairs(&["", "(I)V"], &["(", "()V"]), expected(&[]));
    }
}
