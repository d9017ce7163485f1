//! One table of methods for several trees.

use crate::Tree;
use crate::names::method::Method;

/// Gives all trees the methods of all, so that a number means the same method in
/// each. The order of the methods stays that of ties.
pub fn align<'t>(trees: impl IntoIterator<Item = &'t mut Tree>) {
    let mut trees: Vec<&mut Tree> = trees.into_iter().collect();
    let mut methods: Vec<Method> =
        trees.iter().flat_map(|tree| tree.methods.iter().cloned()).collect();
    methods.sort_unstable();
    methods.dedup();
    for tree in &mut trees {
        // Both tables are sorted, and every method is in the larger one.
        let mut numbers = 0..;
        let mut new_number = Vec::with_capacity(tree.methods.len());
        for method in &tree.methods {
            new_number.extend(numbers.find(|&number| methods[number as usize] == *method));
        }
        for method in &mut tree.method {
            *method = new_number[*method as usize];
        }
        if !tree.call_sites.is_empty() {
            let mut sites = vec![Vec::new(); methods.len()];
            for (&number, of_method) in new_number.iter().zip(&mut tree.call_sites) {
                sites[number as usize] = std::mem::take(of_method);
            }
            tree.call_sites = sites;
        }
        tree.methods.clone_from(&methods);
    }
}

#[cfg(test)]
mod tests {
    use super::align;
    use crate::Tree;
    use crate::names::method::Method;

    #[test]
    fn numbers_mean_the_same_method() {
        let tree = |names: &[&str], method: &[u32]| {
            let mut tree = Tree::default();
            let named = |&name: &&str| Method { name: name.into(), ..Method::default() };
            tree.methods = names.iter().map(named).collect();
            tree.method = method.to_vec();
            tree
        };
        let mut one = tree(&["b", "d"], &[0, 1, 0]);
        let mut other = tree(&["a", "b", "c"], &[2, 1, 0]);
        align([&mut one, &mut other]);
        assert_eq!(one.methods, other.methods);
        assert_eq!(one.methods.len(), 4);
        assert_eq!((one.method, other.method), (vec![1, 3, 1], vec![2, 1, 0]));
    }
}
