//! For whom the rows of commands on data flow are: the nearest method that is not the JDK's,
//! or the nearest of one's own code where the user says what that is; in text and in JSON.

use std::io::Write;

use analysis::dataflow::for_whom::{Contexts, Shares};
use base::number::percent_of;
use serde::Serialize;
use tree::Tree;
use tree::error::Result;
use tree::forest::{MetricChoice, Selection};
use tree::names::method::Method;
use tree::owners::OwnCode;
use tree::readable_names::Names;
use tree::start_up::StartUp;
use tree::views::for_whom::Whom;

use super::source::Profiles;
use super::text::evidence;
use crate::cli::json::Name;

/// Columns by which code that copies is shared out over its contexts: copies, and where a
/// method has none, stores.
pub const COPIES: [&str; 2] = ["copies", "stores"];
/// Columns that are read for that.
pub const COPIES_WITH_CALLS: [&str; 3] = [COPIES[0], COPIES[1], "calls"];

/// Parts named in a line; in a list; and in JSON.
const IN_LINE: usize = 3;
const IN_LIST: usize = 5;
const IN_JSON: usize = 10;
/// Smaller ones are not named in a line behind the first one.
const NAMED: f64 = 0.05;

/// The calling contexts that were recorded beside data flow.
pub struct Recorded {
    /// The contexts; the cost to analyse is the first of the columns asked for.
    pub tree: Tree,
    /// What happens once, by this cost.
    pub start: StartUp,
    /// Of each context, whether it does not belong to that.
    pub stays: Vec<bool>,
    /// How methods are shown.
    pub names: Names,
}

impl Recorded {
    /// The contexts of some profiles, `None` if they lack the first of the columns. `own` is
    /// what the user says is their own code.
    ///
    /// # Errors
    /// If a profile contradicts itself.
    pub fn new(profiles: Profiles, columns: &[&str], own: OwnCode) -> Result<Option<Self>> {
        let first = columns.first().copied().unwrap_or_default();
        if !profiles.iter().all(|(_, profile)| profile.nodes.metric(first).is_some()) {
            return Ok(None);
        }
        let metric = MetricChoice::Every;
        let selection = Selection { metric, threads: true, own, ..Selection::default() };
        let mut tree = Tree::merge(profiles, &selection)?;
        put_first(&mut tree, first);
        let (start, stays) = tree.find_start();
        let names = Names::new(&tree);
        Ok(Some(Self { tree, start, stays, names }))
    }

    /// Shares of these contexts, for people.
    pub fn told<'a>(&'a self, shares: &'a Shares) -> Told<'a> {
        Told::new(&self.tree, &self.names, shares)
    }

    /// For whom methods work, by the first of these columns in which they have anything.
    pub fn contexts(&self, columns: &[&str]) -> Contexts<'_> {
        Contexts::new(&self.tree, columns, &self.stays)
    }
}

/// Makes a metric the cost to analyse.
pub fn put_first(tree: &mut Tree, metric: &str) {
    let mut names = tree.metric_names();
    names.sort_by_key(|name| name != metric);
    tree.choose_metrics(&names);
}

/// For whom a row is.
#[derive(Debug, Clone, Copy)]
pub struct Told<'a> {
    tree: &'a Tree,
    names: &'a Names,
    shares: &'a Shares,
}

impl<'a> Told<'a> {
    /// These shares, with the tree that they are of, and the names of its methods.
    pub fn new(tree: &'a Tree, names: &'a Names, shares: &'a Shares) -> Self {
        Self { tree, names, shares }
    }

    /// The best share for a table, with classes without their packages. Where that share does
    /// not belong to a method, the best share of a method follows.
    pub fn cell(self) -> String {
        let parts = &self.shares.parts;
        let is_method = |whom: Whom| matches!(whom, Whom::Method(_));
        let Some(&(best, _)) = parts.first() else { return "-".to_owned() };
        let next = parts.iter().find(|&&(whom, share)| is_method(whom) && share >= NAMED);
        let shown = parts.first().into_iter().chain(next.filter(|_| !is_method(best)));
        let cells: Vec<String> = shown
            .map(|&(whom, share)| self.part(&self.short(whom), share, whole_percent))
            .collect();
        cells.join(", ")
    }

    fn short(self, whom: Whom) -> String {
        let Whom::Method(method) = whom else { return self.whom(whom).to_owned() };
        let Method { class, name, .. } = &self.tree.methods[method as usize];
        format!("{}.{name}", class.rsplit('.').next().unwrap_or(class))
    }

    /// The best shares, for a line of evidence.
    pub fn line(self, width: usize) -> String {
        let parts = self.shares.parts.iter().enumerate().take(IN_LINE);
        let parts = parts.filter(|(at, (_, share))| *at == 0 || *share >= NAMED);
        let parts: Vec<String> = parts
            .map(|(_, &(whom, share))| self.part(self.whom(whom), share, self.percent()))
            .collect();
        let mark = if self.shares.is_estimate { " (estimate)" } else { "" };
        evidence(&format!("for {}{mark}", parts.join(", ")), width)
    }

    /// Writes the greatest parts, each in a line, below a title.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn write_list(self, of: &str, out: &mut dyn Write) -> Result<()> {
        if self.shares.parts.is_empty() {
            return Ok(());
        }
        let mark = if self.shares.is_estimate { " (estimate)" } else { "" };
        writeln!(out)?;
        let nearest = match self.tree.definitions.are_by_user() {
            true => "the nearest method of your own code",
            false => "the nearest method that is not the JDK's",
        };
        writeln!(out, "For whom, of the {of}{mark}: {nearest}")?;
        for &(whom, share) in self.shares.parts.iter().take(IN_LIST) {
            writeln!(out, "{:>9}  {}", self.percent()(share), self.whom(whom))?;
        }
        Ok(())
    }

    /// A part with its share, unless it is all.
    fn part(self, name: &str, share: f64, percent: fn(f64) -> String) -> String {
        let is_all = self.shares.parts.len() == 1 && share > 0.9999;
        if is_all { name.to_owned() } else { format!("{name} {}", percent(share)) }
    }

    /// Nobody knows the digits behind the point of an estimate.
    fn percent(self) -> fn(f64) -> String {
        if self.shares.is_estimate { whole_percent } else { percent_of }
    }

    fn whom(self, whom: Whom) -> &'a str {
        match whom {
            Whom::Method(method) => self.names.of(Some(method)),
            Whom::Start => "start-up",
            Whom::Nobody => nobody(self.tree).0,
        }
    }
}

/// A share in whole percents; neither nothing nor all if it is not.
fn whole_percent(share: f64) -> String {
    match (100.0 * share).round() {
        0.0 => "<1%".to_owned(),
        100.0 if share < 0.999_999 => ">99%".to_owned(),
        percent => format!("{percent}%"),
    }
}

/// Who works where no method is found that it is for; for people, and in JSON.
fn nobody(tree: &Tree) -> (&'static str, &'static str) {
    match tree.definitions.are_by_user() {
        true => ("code of others alone", "others"),
        false => ("the JDK alone", "jdk"),
    }
}

/// The method that most of a row is for, if it is for methods.
pub fn first_user<'a>(tree: &'a Tree, shares: &Shares) -> Option<&'a Method> {
    shares.parts.iter().find_map(|&(whom, _)| match whom {
        Whom::Method(method) => Some(&tree.methods[method as usize]),
        Whom::Start | Whom::Nobody => None,
    })
}

/// For whom a part is.
#[derive(Debug, Serialize)]
pub struct JsonPart<'a> {
    /// `method`, `start_up`, or without a method `jdk`; `others` if the user says what is
    /// their own code.
    whom: &'static str,
    /// Null if it is not for a method.
    method: Option<Name<'a>>,
    share: f64,
}

/// The greatest parts of some shares in JSON.
pub fn parts<'a>(tree: &'a Tree, shares: &Shares) -> Vec<JsonPart<'a>> {
    let parts = shares.parts.iter().take(IN_JSON);
    let part = |&(whom, share): &(Whom, f64)| {
        let (whom, method) = match whom {
            Whom::Method(method) => ("method", Some(Name::of(tree, Some(method)))),
            Whom::Start => ("start_up", None),
            Whom::Nobody => (nobody(tree).1, None),
        };
        // The last digits of a quotient mean nothing.
        JsonPart { whom, method, share: (share * 1e6).round() / 1e6 }
    };
    parts.map(part).collect()
}

/// For whom a row is, where methods are shared out among their contexts.
#[derive(Debug, Default, Serialize)]
pub struct JsonShares<'a> {
    /// The greatest parts; empty for the program's own code, and where nothing is known.
    #[serde(rename = "for")]
    parts: Vec<JsonPart<'a>>,
    /// Whether a method that works for several was shared out by what it executes for each.
    for_is_estimate: bool,
}

impl<'a> JsonShares<'a> {
    /// Those of a row, with the contexts that they are of.
    pub fn new(recorded: Option<&'a Recorded>, shares: Option<&Shares>) -> Self {
        let Some((recorded, shares)) = recorded.zip(shares) else { return Self::default() };
        Self { parts: parts(&recorded.tree, shares), for_is_estimate: shares.is_estimate }
    }
}

#[cfg(test)]
mod tests {
    use tree::names::method::Method;

    use super::*;

    #[test]
    fn the_best_share_comes_first_and_then_the_best_method() {
        let method = |class: &str, name: &str| Method {
            class: class.into(),
            name: name.into(),
            ..Method::default()
        };
        let mut tree = Tree::default();
        tree.methods = vec![method("demo.draw.Path", "append"), method("Main", "main")];
        let names = Names::of_methods(&tree.methods, [0, 1].into_iter());
        let [path, main] = [0, 1].map(Whom::Method);
        for (parts, is_estimate, cell, line) in [
            (vec![(path, 1.0)], true, "Path.append", "for demo.draw.Path.append (estimate)"),
            (
                vec![(path, 0.456), (main, 0.4), (Whom::Start, 0.1), (Whom::Nobody, 0.044)],
                false,
                "Path.append 46%",
                "for demo.draw.Path.append 45.60%, Main.main 40.00%, start-up 10.00%",
            ),
            (
                vec![(Whom::Start, 0.9), (path, 0.06), (main, 0.04)],
                true,
                "start-up 90%, Path.append 6%",
                "for start-up 90%, demo.draw.Path.append 6% (estimate)",
            ),
            (
                vec![(Whom::Nobody, 0.999), (main, 0.001)],
                true,
                "the JDK alone >99%",
                "for the JDK alone >99% (estimate)",
            ),
        ] {
            let shares = Shares { parts, is_estimate };
            let told = Told::new(&tree, &names, &shares);
            assert_eq!(told.cell(), cell);
            assert_eq!(told.line(100).trim_start(), line);
        }
        let nothing = Shares::default();
        assert_eq!(Told::new(&tree, &names, &nothing).cell(), "-");
    }
}
