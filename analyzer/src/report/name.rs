//! Names of methods as people read them.

use rustc_hash::FxHashMap;

use crate::descriptor;
use crate::method::{Method, VIRTUAL_ROOT};
use crate::tree::Tree;

/// Shortens text to `width` characters by leaving out the middle, where names
/// of classes and methods tell the least.
pub fn shorten(text: &str, width: usize) -> String {
    let length = text.chars().count();
    if length <= width {
        return text.to_owned();
    }
    if width < 3 {
        return text.chars().take(width).collect();
    }
    // The end holds the method, so it gets two thirds.
    let head = (width - 1) / 3;
    let tail = width - 1 - head;
    let start: String = text.chars().take(head).collect();
    let end: String = text.chars().skip(length - tail).collect();
    format!("{start}…{end}")
}

/// How each method of a tree is shown: `class.name`, with its parameters where
/// the tree has several methods of that name, or the whole descriptor where even
/// those agree.
#[derive(Debug)]
pub struct Names {
    names: Vec<String>,
}

impl Names {
    /// The names of a tree's methods.
    pub fn new(tree: &Tree) -> Self {
        let mut executed = vec![false; tree.methods.len()];
        for &method in &tree.method {
            executed[method as usize] = true;
        }
        let mut names: Vec<String> = tree.methods.iter().map(Method::qualified).collect();
        let with_parameters = |method: &Method| {
            let parameters = descriptor::parameters(&method.descriptor);
            let parameters = parameters.unwrap_or_else(|| method.descriptor.clone());
            format!("{}{parameters}", method.qualified())
        };
        for longer in [with_parameters, Method::to_string] {
            for method in ambiguous(&names, &executed) {
                names[method] = longer(&tree.methods[method]);
            }
        }
        Self { names }
    }

    /// Name of a method, or of the virtual root for `None`.
    pub fn of(&self, method: Option<u32>) -> &str {
        method.map_or(VIRTUAL_ROOT, |method| &self.names[method as usize])
    }
}

/// Executed methods that share their name with another one.
fn ambiguous(names: &[String], executed: &[bool]) -> Vec<usize> {
    let shown = || (0..names.len()).filter(|&method| executed[method]);
    let mut count: FxHashMap<&str, u32> = FxHashMap::default();
    for method in shown() {
        *count.entry(&names[method]).or_default() += 1;
    }
    shown().filter(|&method| count[names[method].as_str()] > 1).collect()
}

#[cfg(test)]
mod tests {
    use super::shorten;

    #[test]
    fn middle_goes_first() {
        let name = "java.util.concurrent.ConcurrentHashMap.get";
        assert_eq!(shorten(name, 42), name);
        assert_eq!(shorten(name, 22), "java.ut…entHashMap.get");
        assert_eq!(shorten(name, 2), "ja");
        assert_eq!(shorten("é…é…é…", 4), "é…é…");
    }
}
