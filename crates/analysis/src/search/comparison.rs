//! What one call tree costs more than another one.

use std::cmp::Ordering;

use super::call_tree::CallTree;
use super::interface::{Cost, Costs, ProfileInterface};
use super::summary::Summary;
use tree::names::method::Method;

/// Two trees with one table of methods (see [`tree::alignment`]). Costs are
/// those in the first one minus those in the second one.
#[derive(Debug, Clone, Copy)]
pub struct Comparison<'c, 't> {
    file: &'c CallTree<'t>,
    base: &'c CallTree<'t>,
}

/// The paths of both trees with a certain sequence of calls.
#[derive(Debug, Clone)]
pub struct Pair<'c> {
    file: Summary<'c>,
    base: Summary<'c>,
}

impl<'c, 't> Comparison<'c, 't> {
    /// Compares `file` with `base`.
    pub fn new(file: &'c CallTree<'t>, base: &'c CallTree<'t>) -> Self {
        debug_assert!(file.tree().methods == base.tree().methods);
        Self { file, base }
    }

    /// Pairs what stands for the same sequences of equal length, in ascending
    /// order of the method in which they differ, and pairs the rest with
    /// summaries of paths that do not occur.
    fn pair(&self, file: Vec<Summary<'c>>, base: Vec<Summary<'c>>) -> Vec<Pair<'c>> {
        let (mut file, mut base) = (file.into_iter().peekable(), base.into_iter().peekable());
        let mut pairs = Vec::new();
        loop {
            let order = match (file.peek(), base.peek()) {
                (None, None) => return pairs,
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some(file), Some(base)) => file.calls().cmp(base.calls()),
            };
            let file = if order.is_le() { file.next() } else { None };
            let base = if order.is_ge() { base.next() } else { None };
            pairs.extend(match (file, base) {
                (Some(file), Some(base)) => Some(Pair { file, base }),
                (Some(file), None) => Some(Pair { base: file.absent(), file }),
                (None, Some(base)) => Some(Pair { file: base.absent(), base }),
                (None, None) => None,
            });
        }
    }
}

/// The methods of both lists, which are in ascending order.
fn united(mut one: Vec<u32>, other: Vec<u32>) -> Vec<u32> {
    one.extend(other);
    one.sort_unstable();
    one.dedup();
    one
}

fn difference(file: Costs, base: Costs) -> Costs {
    Costs { base: file.base - base.base, cum: file.cum - base.cum }
}

fn sides<'c>(pairs: &[Pair<'c>]) -> (Vec<Summary<'c>>, Vec<Summary<'c>>) {
    pairs.iter().map(|pair| (pair.file.clone(), pair.base.clone())).unzip()
}

impl<'c> ProfileInterface for Comparison<'c, '_> {
    type Summary = Pair<'c>;

    fn methods(&self) -> &[Method] {
        self.file.methods()
    }

    fn metric(&self) -> &str {
        self.file.metric()
    }

    fn total(&self) -> Cost {
        self.file.total() - self.base.total()
    }

    fn path_of<'s>(&self, summary: &'s Pair<'c>) -> &'s [u32] {
        summary.file.calls()
    }

    fn initial_summaries(&self) -> Vec<Pair<'c>> {
        self.pair(self.file.initial_summaries(), self.base.initial_summaries())
    }

    fn top_extensions(&self, summary: &Pair<'c>) -> Vec<u32> {
        united(self.file.top_extensions(&summary.file), self.base.top_extensions(&summary.base))
    }

    fn bottom_extensions(&self, summary: &Pair<'c>) -> Vec<u32> {
        let file = self.file.bottom_extensions(&summary.file);
        united(file, self.base.bottom_extensions(&summary.base))
    }

    fn extend_top(&self, summary: &Pair<'c>, method: u32) -> Pair<'c> {
        Pair {
            file: self.file.extend_top(&summary.file, method),
            base: self.base.extend_top(&summary.base, method),
        }
    }

    fn extend_bottom(&self, summary: &Pair<'c>, method: u32) -> Pair<'c> {
        Pair {
            file: self.file.extend_bottom(&summary.file, method),
            base: self.base.extend_bottom(&summary.base, method),
        }
    }

    fn trim_top(&self, summary: &Pair<'c>) -> Option<Pair<'c>> {
        let file = self.file.trim_top(&summary.file)?;
        Some(Pair { file, base: self.base.trim_top(&summary.base)? })
    }

    fn trim_bottom(&self, summary: &Pair<'c>) -> Option<Pair<'c>> {
        let file = self.file.trim_bottom(&summary.file)?;
        Some(Pair { file, base: self.base.trim_bottom(&summary.base)? })
    }

    fn base_of(&self, summary: &Pair<'c>) -> Cost {
        self.costs_of(summary).base
    }

    fn cum_of(&self, summary: &Pair<'c>) -> Cost {
        self.costs_of(summary).cum
    }

    fn total_base_of(&self, summaries: &[Pair<'c>]) -> Cost {
        let (file, base) = sides(summaries);
        self.file.total_base_of(&file) - self.base.total_base_of(&base)
    }

    fn total_cum_of(&self, summaries: &[Pair<'c>]) -> Cost {
        let (file, base) = sides(summaries);
        self.file.total_cum_of(&file) - self.base.total_cum_of(&base)
    }

    fn induced(&self) -> Vec<(u32, Cost)> {
        let (file, base) = (self.file.analysis(), self.base.analysis());
        let methods = 0..self.methods().len();
        let either = methods.filter(|&method| file.subsumes[method] || base.subsumes[method]);
        let difference = |method: usize| {
            let more = Cost::from(file.induced[method]) - Cost::from(base.induced[method]);
            (method as u32, more)
        };
        either.map(difference).collect()
    }

    fn costs_of(&self, summary: &Pair<'c>) -> Costs {
        difference(self.file.costs_of(&summary.file), self.base.costs_of(&summary.base))
    }

    fn extended_top(&self, summary: &Pair<'c>) -> Vec<Pair<'c>> {
        self.pair(self.file.extended_top(&summary.file), self.base.extended_top(&summary.base))
    }

    fn extended_bottom(&self, summary: &Pair<'c>) -> Vec<Pair<'c>> {
        let file = self.file.extended_bottom(&summary.file);
        self.pair(file, self.base.extended_bottom(&summary.base))
    }

    fn added(&self, to: &[Pair<'c>], more: &[Pair<'c>]) -> Vec<Costs> {
        let (to_file, to_base) = sides(to);
        let (file, base) = sides(more);
        let file = self.file.added(&to_file, &file).into_iter();
        let base = self.base.added(&to_base, &base);
        file.zip(base).map(|(file, base)| difference(file, base)).collect()
    }

    fn running_cums(&self, summaries: &[Pair<'c>]) -> Vec<Cost> {
        let (file, base) = sides(summaries);
        let file = self.file.running_cums(&file).into_iter();
        file.zip(self.base.running_cums(&base)).map(|(file, base)| file - base).collect()
    }
}
