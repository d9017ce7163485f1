//! What a search needs to know of a profile (Ammons et al. 2004, Figure 3).

use tree::names::method::Method;

/// A cost, or the difference of two.
pub type Cost = i128;

/// The two costs of a summary, or of several together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Costs {
    /// Cost along the paths.
    pub base: Cost,
    /// Cost along the paths and of everything below them.
    pub cum: Cost,
}

/// A profile that associates costs with sequences of calls.
///
/// The methods in a sequence are numbers in [`methods`](Self::methods).
/// The functions without a body are those of the paper; the others follow from
/// them, and an implementation may know a faster way.
pub trait ProfileInterface {
    /// A sequence of calls with what the profile knows of it.
    type Summary: Clone;

    /// The methods that numbers stand for.
    fn methods(&self) -> &[Method];

    /// Name of the cost.
    fn metric(&self) -> &str;

    /// The cost of everything.
    fn total(&self) -> Cost;

    /// The sequence of calls, the outermost one first.
    fn path_of<'s>(&self, summary: &'s Self::Summary) -> &'s [u32];

    /// A summary for each sequence of length 1, in the order of the methods.
    fn initial_summaries(&self) -> Vec<Self::Summary>;

    /// Methods that call the first one of the sequence, in ascending order.
    fn top_extensions(&self, summary: &Self::Summary) -> Vec<u32>;

    /// Methods that the last one of the sequence calls, in ascending order.
    fn bottom_extensions(&self, summary: &Self::Summary) -> Vec<u32>;

    /// The sequence with `method` in front of it.
    fn extend_top(&self, summary: &Self::Summary, method: u32) -> Self::Summary;

    /// The sequence with `method` behind it.
    fn extend_bottom(&self, summary: &Self::Summary, method: u32) -> Self::Summary;

    /// The sequence without its first method; `None` at length 1.
    fn trim_top(&self, summary: &Self::Summary) -> Option<Self::Summary>;

    /// The sequence without its last method; `None` at length 1.
    fn trim_bottom(&self, summary: &Self::Summary) -> Option<Self::Summary>;

    /// The cost along the paths of a summary.
    fn base_of(&self, summary: &Self::Summary) -> Cost;

    /// The cost along the paths of a summary and below them.
    fn cum_of(&self, summary: &Self::Summary) -> Cost;

    /// The base of several summaries, each context counted once.
    fn total_base_of(&self, summaries: &[Self::Summary]) -> Cost;

    /// The cum of several summaries, each context counted once.
    fn total_cum_of(&self, summaries: &[Self::Summary]) -> Cost;

    /// The subsuming methods (Maplesden et al. 2015) with what they induce.
    fn induced(&self) -> Vec<(u32, Cost)>;

    /// Both costs of a summary.
    fn costs_of(&self, summary: &Self::Summary) -> Costs {
        Costs { base: self.base_of(summary), cum: self.cum_of(summary) }
    }

    /// Both costs of several summaries together.
    fn total_costs_of(&self, summaries: &[Self::Summary]) -> Costs {
        Costs { base: self.total_base_of(summaries), cum: self.total_cum_of(summaries) }
    }

    /// All extensions by one method in front.
    fn extended_top(&self, summary: &Self::Summary) -> Vec<Self::Summary> {
        let methods = self.top_extensions(summary);
        methods.into_iter().map(|method| self.extend_top(summary, method)).collect()
    }

    /// All extensions by one method behind.
    fn extended_bottom(&self, summary: &Self::Summary) -> Vec<Self::Summary> {
        let methods = self.bottom_extensions(summary);
        methods.into_iter().map(|method| self.extend_bottom(summary, method)).collect()
    }

    /// What each summary of `more` adds, by itself, to the totals of `to`.
    fn added(&self, to: &[Self::Summary], more: &[Self::Summary]) -> Vec<Costs> {
        let before = self.total_costs_of(to);
        let of_one = |one: &Self::Summary| {
            let mut with = to.to_vec();
            with.push(one.clone());
            let after = self.total_costs_of(&with);
            Costs { base: after.base - before.base, cum: after.cum - before.cum }
        };
        more.iter().map(of_one).collect()
    }

    /// The total cum of the first summary, of the first two, and so on.
    fn running_cums(&self, summaries: &[Self::Summary]) -> Vec<Cost> {
        (1..=summaries.len()).map(|n| self.total_cum_of(&summaries[..n])).collect()
    }

    /// What a summary and others have in common.
    fn overlap(&self, summary: &Self::Summary, others: &[Self::Summary]) -> Costs {
        let own = self.costs_of(summary);
        let added = self.added(others, std::slice::from_ref(summary));
        let added = added.first().copied().unwrap_or_default();
        Costs { base: own.base - added.base, cum: own.cum - added.cum }
    }
}
