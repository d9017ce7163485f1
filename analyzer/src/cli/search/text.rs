//! The answers for people.

use std::io::Write;

use analysis::diff::explanation::FLOOR_OF_ALL;
use analysis::search::command::USAGE;
use analysis::search::interface::{Cost, Costs};
use analysis::search::session::{Coverage, Item, Labelled, List, Selection};
use base::number::{counted, grouped, percent_of, signed};
use base::shown;
use report::painted::Painted;
use report::table::{Kind, Table};
use tree::Tree;
use tree::error::Result;
use tree::owners::{Owner, Owners};
use tree::readable_names::{Names, printable};
use tree::views::folding::Frame;
use tree::views::way_in::Stop;

use super::answer::Answer;
use crate::cli::{paths, terminal};

/// How summaries and their costs are shown.
pub struct Style<'a> {
    names: &'a Names,
    metric: String,
    total: Cost,
    whole: u64,
    is_comparison: bool,
    colours: bool,
    /// Whose each method is; nothing where the output has no colours.
    owners: Vec<Owner>,
}

/// Between the methods of a sequence.
const CALLS: &str = " ; ";

impl<'a> Style<'a> {
    /// For costs of that name, of which there are `total`; in a comparison that is a
    /// difference, and `whole` is what the base costs.
    pub fn new(
        names: &'a Names,
        metric: &str,
        total: Cost,
        whole: u64,
        is_comparison: bool,
    ) -> Self {
        Self {
            names,
            metric: metric.to_owned(),
            total,
            whole,
            is_comparison,
            colours: terminal::colours(),
            owners: Vec::new(),
        }
    }

    /// The same, with names in the colours of whose code the methods of the tree are.
    pub fn painted(self, tree: &Tree, owners: &Owners) -> Self {
        let methods = if self.colours { &tree.methods[..] } else { &[] };
        let owners = methods.iter().map(|method| owners.owner(&method.class)).collect();
        Self { owners, ..self }
    }

    /// Name of the cost.
    pub fn metric(&self) -> &str {
        &self.metric
    }

    /// The cost of everything.
    pub fn total(&self) -> Cost {
        self.total
    }

    /// A share of the total; `None` if there is nothing to have a share of.
    pub fn share(&self, cost: Cost) -> Option<f64> {
        (self.total != 0).then(|| cost as f64 / self.total as f64)
    }

    /// A share of what the whole program costs, in percent.
    pub fn percent_of_whole(&self, cost: Cost) -> String {
        percent_of(cost as f64 / self.whole.max(1) as f64)
    }

    /// The cost of the whole program; in a comparison of the base.
    pub fn whole(&self) -> u64 {
        self.whole
    }

    /// True if profiles are compared that do not differ by more than two runs of
    /// one program do.
    pub fn is_below_floor(&self) -> bool {
        self.is_comparison && (self.total as f64).abs() < FLOOR_OF_ALL * self.whole as f64
    }

    /// True if profiles are compared.
    pub fn is_comparison(&self) -> bool {
        self.is_comparison
    }

    /// Names of methods.
    pub fn names(&self, path: &[u32]) -> Vec<&str> {
        path.iter().map(|&method| self.names.of(Some(method))).collect()
    }

    /// The name of a method.
    pub fn method(&self, method: u32) -> &str {
        self.names.of(Some(method))
    }

    /// A frame of the way into a context.
    pub fn stop(&self, stop: &Stop) -> Painted {
        let frame = match stop.frame {
            Frame::Method(method) => {
                let owner = self.owners.get(method as usize).copied();
                Painted::name(self.method(method), owner)
            }
            Frame::Folded(count) => paths::folded(count).into(),
        };
        paths::with_calls(frame, stop)
    }

    /// A cost, with its sign where it is a difference.
    pub fn cost(&self, cost: Cost) -> String {
        match u64::try_from(cost) {
            Ok(cost) if !self.is_comparison => grouped(cost),
            _ => signed(cost),
        }
    }

    /// A share of the total in percent; `-` of nothing.
    pub fn percent(&self, cost: Cost) -> String {
        self.share(cost).map_or_else(|| "-".to_owned(), percent_of)
    }

    fn both(&self, costs: Costs) -> String {
        format!(
            "base {} ({}), cum {} ({})",
            self.cost(costs.base),
            self.percent(costs.base),
            self.cost(costs.cum),
            self.percent(costs.cum)
        )
    }

    fn cells(&self, costs: Costs) -> [String; 4] {
        [
            self.cost(costs.base),
            self.percent(costs.base),
            self.cost(costs.cum),
            self.percent(costs.cum),
        ]
    }

    fn strong(&self, text: &str) -> String {
        if self.colours { format!("\x1b[1;36m{text}\x1b[0m") } else { text.to_owned() }
    }
}

const COSTS: [(&str, Kind); 4] = [
    ("Base", Kind::Number(2)),
    ("Base %", Kind::Number(0)),
    ("Cum", Kind::Number(1)),
    ("Cum %", Kind::Number(0)),
];

/// Prints an answer.
///
/// # Errors
/// If `out` fails.
pub fn print(answer: &Answer, style: &Style<'_>, out: &mut impl Write) -> Result<()> {
    match answer {
        Answer::Setting(name, value) => writeln!(out, "{name}: {value}")?,
        Answer::Suggestions(suggester, list) => {
            let total = style.cost(style.total());
            let title = format!("{suggester}, of {total} {}", style.metric());
            write_list(&title, list, None, style, out)?;
        }
        Answer::Selection(selection) => write_selection(selection, style, out)?,
        Answer::NewLabel(name, item) => {
            let path = style.names(&item.path).join(CALLS);
            writeln!(out, "{}: [ {path} ]", printable(name))?;
        }
        Answer::Labels(labels) => write_labels(labels, style, out)?,
        Answer::Coverage(coverage) => write_coverage(coverage, style, out)?,
        Answer::Saved(path) => writeln!(out, "labels written to {}", shown(path))?,
        Answer::Help => {
            for (usage, what) in USAGE {
                writeln!(out, "  {usage:<20}{what}")?;
            }
        }
        Answer::Quit => {}
    }
    Ok(())
}

/// Writes numbered summaries. Those near a selected one show only what they
/// have more than that.
fn write_list(
    title: &str,
    list: &List,
    selected: Option<&Item>,
    style: &Style<'_>,
    out: &mut impl Write,
) -> Result<()> {
    if list.shown.is_empty() && list.below_cutoff == 0 {
        return Ok(());
    }
    writeln!(out, "{}", style.strong(title))?;
    if !list.shown.is_empty() {
        let has_induced = list.shown.iter().any(|row| row.induced.is_some());
        let mut columns = vec![("No.", Kind::Number(0))];
        if has_induced {
            columns.extend([("Induced", Kind::Number(0)), ("Ind.%", Kind::Number(0))]);
        }
        columns.extend(COSTS);
        columns.push(("Calls", Kind::Text(0)));
        let mut table = Table::new(&columns);
        for row in &list.shown {
            let mut cells = vec![row.number.to_string()];
            if has_induced {
                cells.push(row.induced.map(|i| style.cost(i)).unwrap_or_default());
                cells.push(row.induced.map(|i| style.percent(i)).unwrap_or_default());
            }
            cells.extend(style.cells(row.item.costs));
            cells.push(match selected {
                None => style.names(&row.item.path).join(CALLS),
                Some(selected) => beside(&row.item.path, &selected.path, style),
            });
            table.row(cells);
        }
        terminal::write_table(&table, out)?;
    }
    terminal::count_rest(list.more, out)?;
    if list.below_cutoff > 0 {
        writeln!(out, "{} below the cutoff", counted(list.below_cutoff as u64, "sequence"))?;
    }
    Ok(())
}

/// A longer or shorter sequence than the selected one, which is written `...`.
fn beside(path: &[u32], selected: &[u32], style: &Style<'_>) -> String {
    let more = path.len().saturating_sub(selected.len());
    if more > 0 && path.ends_with(selected) {
        format!("{}{CALLS}...", style.names(&path[..more]).join(CALLS))
    } else if more > 0 && path.starts_with(selected) {
        format!("...{CALLS}{}", style.names(&path[selected.len()..]).join(CALLS))
    } else {
        let left_out = selected.len() - path.len();
        let whole = style.names(path).join(CALLS);
        let side = if selected.ends_with(path) { "first" } else { "last" };
        format!("without the {side} {}: {whole}", counted(left_out as u64, "method"))
    }
}

fn write_selection(selection: &Selection, style: &Style<'_>, out: &mut impl Write) -> Result<()> {
    let item = &selection.item;
    writeln!(out, "{}", style.both(item.costs))?;
    if !selection.labels.is_empty() {
        writeln!(out, "labels: {}", printable(&selection.labels.join(", ")))?;
    }
    for name in style.names(&item.path) {
        writeln!(out, "  {}", style.strong(name))?;
    }
    if !selection.overlaps.is_empty() {
        let mut columns = COSTS.to_vec();
        columns.push(("Shared with", Kind::Text(0)));
        let mut table = Table::new(&columns);
        for (label, costs) in &selection.overlaps {
            let mut cells = style.cells(*costs).to_vec();
            cells.push(label.clone());
            table.row(cells);
        }
        terminal::write_table(&table, out)?;
    }
    write_list("Called from", &selection.top, Some(item), style, out)?;
    write_list("Calling", &selection.bottom, Some(item), style, out)?;
    write_list("Shorter", &selection.trimmings, Some(item), style, out)
}

fn write_labels(labels: &[Labelled], style: &Style<'_>, out: &mut impl Write) -> Result<()> {
    if labels.is_empty() {
        writeln!(out, "no labels yet (label NAME gives the selected summary one)")?;
    }
    for label in labels {
        let list = List { shown: label.summaries.clone(), ..List::default() };
        let title = format!("{}: {}", printable(&label.name), style.both(label.costs));
        write_list(&title, &list, None, style, out)?;
    }
    Ok(())
}

fn write_coverage(coverage: &Coverage, style: &Style<'_>, out: &mut impl Write) -> Result<()> {
    let mut columns = COSTS.to_vec();
    columns.push(("Label", Kind::Text(0)));
    let mut table = Table::new(&columns);
    for (label, costs) in &coverage.labels {
        let mut cells = style.cells(*costs).to_vec();
        cells.push(label.clone());
        table.row(cells);
    }
    terminal::write_table(&table, out)?;
    writeln!(
        out,
        "{} of mean length {:.1}, together {}",
        counted(coverage.summaries as u64, "summary").replace("summarys", "summaries"),
        coverage.mean_length,
        style.both(coverage.costs),
    )?;
    Ok(())
}
