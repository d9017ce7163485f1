//! The state of a search, and what its commands answer.

use super::interface::{Cost, Costs, ProfileInterface};
use super::suggester::Suggester;
use super::zoom::{sort_by_cum, zoom};

/// A search under way.
#[derive(Debug)]
pub struct Session<P: ProfileInterface> {
    profile: P,
    suggester: Suggester,
    /// The share of the cost that zooming keeps, while it is on.
    zoom: Option<f64>,
    cutoff: f64,
    /// How many summaries of each kind are shown.
    shown: usize,
    /// What numbers stand for.
    listing: Vec<P::Summary>,
    /// The summaries selected; the last one is the current one.
    selected: Vec<P::Summary>,
    labels: Vec<Label<P::Summary>>,
}

/// A label with the summaries that have it.
#[derive(Debug)]
struct Label<S> {
    name: String,
    summaries: Vec<S>,
}

/// A summary in an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// Its methods, the outermost one first.
    pub path: Vec<u32>,
    /// Its costs.
    pub costs: Costs,
}

/// A summary that can be selected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Numbered {
    /// Its number.
    pub number: usize,
    /// What it is.
    pub item: Item,
    /// What its method induces, in suggestions of subsuming methods.
    pub induced: Option<Cost>,
}

/// Summaries of one kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct List {
    /// Those to be shown.
    pub shown: Vec<Numbered>,
    /// How many more have numbers, which go on from those shown.
    pub more: usize,
    /// How many have none, because they are below the cutoff.
    pub below_cutoff: usize,
}

/// The answer to `select` and `back`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    /// The summary selected.
    pub item: Item,
    /// Its labels.
    pub labels: Vec<String>,
    /// What it has in common with each label.
    pub overlaps: Vec<(String, Costs)>,
    /// Sequences that begin further up.
    pub top: List,
    /// Sequences that end further down.
    pub bottom: List,
    /// Shorter sequences.
    pub trimmings: List,
}

/// A label in an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Labelled {
    /// The label.
    pub name: String,
    /// The summaries that have it.
    pub summaries: Vec<Numbered>,
    /// What they cost together.
    pub costs: Costs,
}

/// The answer to `coverage`.
#[derive(Debug, Clone, PartialEq)]
pub struct Coverage {
    /// Each label with what its summaries cost together.
    pub labels: Vec<(String, Costs)>,
    /// Number of summaries that have a label.
    pub summaries: usize,
    /// Mean number of methods in them.
    pub mean_length: f64,
    /// What they cost together.
    pub costs: Costs,
}

impl<P: ProfileInterface> Session<P> {
    /// A search that shows the first `shown` summaries of each list.
    pub fn new(profile: P, shown: usize) -> Self {
        Self {
            profile,
            suggester: Suggester::default(),
            zoom: None,
            cutoff: 0.95,
            shown,
            listing: Vec::new(),
            selected: Vec::new(),
            labels: Vec::new(),
        }
    }

    /// The profile.
    pub fn profile(&self) -> &P {
        &self.profile
    }

    /// Chooses the suggester.
    pub fn set_suggester(&mut self, suggester: Suggester) {
        self.suggester = suggester;
    }

    /// The suggester.
    pub fn suggester(&self) -> Suggester {
        self.suggester
    }

    /// Switches zooming on or off.
    pub fn set_zoom(&mut self, on: bool) {
        self.zoom = on.then_some(self.cutoff);
    }

    /// Sets the share of the cost that zooming keeps.
    pub fn set_cutoff(&mut self, cutoff: f64) {
        self.cutoff = cutoff;
        self.zoom = self.zoom.map(|_| cutoff);
    }

    /// Names of the labels.
    pub fn label_names(&self) -> impl Iterator<Item = &str> {
        self.labels.iter().map(|label| label.name.as_str())
    }

    /// Lists summaries to start from.
    pub fn suggest(&mut self) -> List {
        let suggestions = self.suggester.suggest(&self.profile);
        let induced: Vec<Option<Cost>> = suggestions.iter().map(|s| s.induced).collect();
        self.listing.clear();
        let summaries = suggestions.into_iter().map(|s| s.summary).collect();
        let mut list = self.list(summaries, 0);
        for (row, induced) in list.shown.iter_mut().zip(induced) {
            row.induced = induced;
        }
        list
    }

    /// Goes to a summary of the last list.
    ///
    /// # Errors
    /// In words, if it has no such number.
    pub fn select(&mut self, number: usize) -> Result<Selection, String> {
        let summary =
            self.listing.get(number).cloned().ok_or_else(|| match self.listing.len() {
                0 => "nothing is listed yet (suggest lists summaries)".to_owned(),
                len => format!("no summary {number} (the last list goes from 0 to {})", len - 1),
            })?;
        self.selected.push(summary);
        Ok(self.show())
    }

    /// Goes back to the summary selected before.
    ///
    /// # Errors
    /// In words, if there is none.
    pub fn back(&mut self) -> Result<Selection, String> {
        if self.selected.len() < 2 {
            return Err("nothing was selected before".to_owned());
        }
        self.selected.pop();
        Ok(self.show())
    }

    /// Labels the current summary and returns it.
    ///
    /// # Errors
    /// In words, if none is selected.
    pub fn label(&mut self, name: &str) -> Result<Item, String> {
        let summary = self.selected.last().cloned().ok_or("select a summary first")?;
        let item = self.item(&summary);
        self.add_label(name, summary);
        Ok(item)
    }

    /// Labels a summary; a second time the same does nothing.
    pub fn add_label(&mut self, name: &str, summary: P::Summary) {
        let at = self.labels.iter().position(|label| label.name == name).unwrap_or_else(|| {
            self.labels.push(Label { name: name.to_owned(), summaries: Vec::new() });
            self.labels.len() - 1
        });
        let path = self.profile.path_of(&summary);
        let summaries = &self.labels[at].summaries;
        if !summaries.iter().any(|known| self.profile.path_of(known) == path) {
            self.labels[at].summaries.push(summary);
        }
    }

    /// Lists what has labels.
    pub fn labels(&mut self) -> Vec<Labelled> {
        self.listing = self.labels.iter().flat_map(|label| label.summaries.clone()).collect();
        self.labelled()
    }

    /// What has labels, without making it the list that numbers refer to.
    pub fn labelled(&self) -> Vec<Labelled> {
        let mut number = 0;
        let of_label = |label: &Label<P::Summary>| {
            let numbered = |summary| {
                number += 1;
                Numbered { number: number - 1, item: self.item(summary), induced: None }
            };
            Labelled {
                name: label.name.clone(),
                summaries: label.summaries.iter().map(numbered).collect(),
                costs: self.profile.total_costs_of(&label.summaries),
            }
        };
        self.labels.iter().map(of_label).collect()
    }

    /// What the labels cost.
    pub fn coverage(&self) -> Coverage {
        // A summary may have several labels.
        let mut all: Vec<P::Summary> = Vec::new();
        for summary in self.labels.iter().flat_map(|label| &label.summaries) {
            let path = self.profile.path_of(summary);
            if !all.iter().any(|known| self.profile.path_of(known) == path) {
                all.push(summary.clone());
            }
        }
        let methods: usize = all.iter().map(|summary| self.profile.path_of(summary).len()).sum();
        let of_label = |label: &Label<P::Summary>| {
            (label.name.clone(), self.profile.total_costs_of(&label.summaries))
        };
        Coverage {
            labels: self.labels.iter().map(of_label).collect(),
            summaries: all.len(),
            mean_length: if all.is_empty() { 0.0 } else { methods as f64 / all.len() as f64 },
            costs: self.profile.total_costs_of(&all),
        }
    }

    fn item(&self, summary: &P::Summary) -> Item {
        Item { path: self.profile.path_of(summary).to_vec(), costs: self.profile.costs_of(summary) }
    }

    /// Gives summaries the next numbers.
    fn list(&mut self, summaries: Vec<P::Summary>, below_cutoff: usize) -> List {
        let first = self.listing.len();
        let rows = summaries.iter().take(self.shown).enumerate();
        let shown: Vec<Numbered> = rows
            .map(|(at, summary)| Numbered {
                number: first + at,
                item: self.item(summary),
                induced: None,
            })
            .collect();
        let more = summaries.len() - shown.len();
        self.listing.extend(summaries);
        List { shown, more, below_cutoff }
    }

    /// Answers with the current summary and what is near it.
    fn show(&mut self) -> Selection {
        // Only called with something selected.
        let current = self.selected[self.selected.len() - 1].clone();
        let path = self.profile.path_of(&current);
        let has = |label: &&Label<P::Summary>| {
            label.summaries.iter().any(|summary| self.profile.path_of(summary) == path)
        };
        let labels = self.labels.iter().filter(has).map(|label| label.name.clone()).collect();
        let overlap = |label: &Label<P::Summary>| {
            (label.name.clone(), self.profile.overlap(&current, &label.summaries))
        };
        let overlaps = self.labels.iter().map(overlap).collect();
        let item = self.item(&current);

        self.listing.clear();
        let top = self.near(&current, |profile, s| profile.extended_top(s));
        let bottom = self.near(&current, |profile, s| profile.extended_bottom(s));
        let mut trimmings = self.near(&current, |profile, s| Vec::from_iter(profile.trim_top(s)));
        let below = self.near(&current, |profile, s| Vec::from_iter(profile.trim_bottom(s)));
        trimmings.shown.extend(below.shown);
        trimmings.more += below.more;
        trimmings.below_cutoff += below.below_cutoff;
        Selection { item, labels, overlaps, top, bottom, trimmings }
    }

    /// Lists what is near a summary in one direction.
    fn near(
        &mut self,
        from: &P::Summary,
        next: impl Fn(&P, &P::Summary) -> Vec<P::Summary>,
    ) -> List {
        let profile = &self.profile;
        match self.zoom {
            Some(cutoff) => {
                let found = zoom(profile, from, cutoff, |s| next(profile, s));
                self.list(found.summaries, found.below_cutoff)
            }
            None => {
                let mut summaries = next(profile, from);
                sort_by_cum(profile, &mut summaries);
                self.list(summaries, 0)
            }
        }
    }
}
