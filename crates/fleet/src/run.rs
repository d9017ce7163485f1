//! A row of the table `runs`: what is to be known of a run.

use std::io::Write;
use std::path::Path;

use base::DateTime;
use profile::{Completeness, Origin, RunInfo};

use crate::KEY_VERSION;
use crate::labels::Labels;
use crate::table::{self, Column, Table};
use formats::import::{folded, jfr, jprofiler, jstack, otlp, pprof};
use tree::error::{Error, Result};
use tree::names::command_line::program_of;

/// A run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Run {
    /// Number of the run: a hash of its profile, in hexadecimal.
    pub id: String,
    /// What was run.
    pub program: String,
    /// The day of its start, `2026-01-31`; empty if unknown.
    pub date: String,
    /// All labels.
    pub labels: Labels,
    /// Start in milliseconds since 1970; 0 if unknown.
    pub start_millis: i64,
    /// End in milliseconds since 1970; 0 if unknown.
    pub end_millis: i64,
    /// Name and version of the JVM.
    pub jvm: String,
    /// The Java command line.
    pub command_line: String,
    /// The agent's options.
    pub options: String,
    /// `recorded`, or the format of an import.
    pub origin: String,
    /// `complete`, `attached`, `snapshot` or `cut_short`. A run that the agent was attached
    /// to began before the recording, wherever that ended.
    pub completeness: String,
    /// Contexts that found no room.
    pub contexts_lost: i64,
    /// Calls active at the end, if known.
    pub active_at_end: Option<i64>,
    /// Calling contexts, threads and call sites merged.
    pub contexts: i64,
    /// Methods that were executed.
    pub methods: i64,
    /// The cost that `exclusive` and `inclusive` of `method_runs` are of.
    pub metric: String,
    /// Its total.
    pub total: i64,
    /// Totals of the metrics that recordings have.
    pub totals: [Option<i64>; 3],
    /// The table that has the names of its methods.
    pub methods_table: String,
    /// Whether its profile is in the dataset.
    pub has_tree: bool,
}

/// The metrics of recordings, each of which has a column.
pub const METRICS: [&str; 3] = ["calls", "bytecodes", "allocations"];

/// Formats of imports that are sampled.
const SAMPLED: [&str; 6] =
    [jfr::FORMAT, pprof::FORMAT, otlp::FORMAT, folded::FORMAT, jstack::FORMAT, jprofiler::FORMAT];

const TEXTS: [&str; 12] = [
    "run_id",
    "program",
    "run_date",
    "labels",
    "version",
    "commit",
    "host",
    "jvm",
    "command_line",
    "options",
    "origin",
    "completeness",
];

impl Run {
    /// What a profile says of its run.
    pub fn of(id: String, info: &RunInfo, labels: Labels) -> Self {
        let program = labels.get("program").cloned();
        let number = |number: u64| i64::try_from(number).unwrap_or(i64::MAX);
        Self {
            id,
            program: program.unwrap_or_else(|| program_of(&info.command_line)),
            date: date_of(info.start_millis),
            labels,
            start_millis: number(info.start_millis),
            end_millis: number(info.end_millis),
            jvm: info.jvm.clone(),
            command_line: info.command_line.clone(),
            options: info.options.clone(),
            origin: match &info.origin {
                Origin::Recorded => "recorded".to_owned(),
                Origin::Imported(format) => format.clone(),
            },
            completeness: match info.completeness {
                Completeness::Complete | Completeness::Snapshot if info.is_attached => "attached",
                Completeness::Complete => "complete",
                Completeness::Snapshot | Completeness::Recording => "snapshot",
                Completeness::CutShort => "cut_short",
            }
            .to_owned(),
            contexts_lost: number(info.contexts_lost),
            active_at_end: info.active_at_end.map(number),
            ..Self::default()
        }
    }

    /// The first half of its number, which takes less to join by; two runs of a fleet hardly
    /// ever have the same.
    pub fn key(&self) -> i64 {
        let half = self.id.get(..16).unwrap_or(&self.id);
        u64::from_str_radix(half, 16).unwrap_or_default().cast_signed()
    }

    /// The value of a label; the program, the date and the number of a run, its JVM,
    /// how complete it is and where it comes from count as such.
    pub fn label(&self, key: &str) -> Option<&str> {
        match key {
            "program" => Some(&self.program),
            "date" => Some(&self.date),
            "run" => Some(&self.id),
            "jvm" => Some(&self.jvm),
            "completeness" => Some(&self.completeness),
            "origin" => Some(&self.origin),
            _ => self.labels.get(key).map(String::as_str),
        }
    }

    /// True if nothing is missing, so that its counts can be compared with others.
    pub fn is_whole(&self) -> bool {
        self.completeness == "complete" && self.contexts_lost == 0
    }

    /// True if its costs are samples, which are not the same in two runs.
    pub fn is_sampled(&self) -> bool {
        SAMPLED.contains(&self.origin.as_str())
    }

    /// Writes the row.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn write(&self, out: impl Write + Send) -> Result<()> {
        let labels = serde_json::to_string(&self.labels)
            .map_err(|error| Error::new(format!("cannot write labels: {error}")))?;
        let label = |key: &str| self.labels.get(key).cloned().unwrap_or_default();
        let texts: [String; 12] = [
            self.id.clone(),
            self.program.clone(),
            self.date.clone(),
            labels,
            label("version"),
            label("commit"),
            label("host"),
            self.jvm.clone(),
            self.command_line.clone(),
            self.options.clone(),
            self.origin.clone(),
            self.completeness.clone(),
        ];
        let mut columns: Vec<(&str, Column)> = TEXTS.into_iter().zip(texts.map(text)).collect();
        let long = |value: i64| Column::Long(vec![value]);
        columns.extend([
            ("start_millis", long(self.start_millis)),
            ("end_millis", long(self.end_millis)),
            ("contexts_lost", long(self.contexts_lost)),
            ("active_at_end", Column::Optional(vec![self.active_at_end])),
            ("contexts", long(self.contexts)),
            ("methods", long(self.methods)),
            ("metric", text(self.metric.clone())),
            ("total", long(self.total)),
        ]);
        let totals = self.totals.map(|total| Column::Optional(vec![total]));
        columns.extend(METRICS.into_iter().zip(totals));
        columns.extend([
            ("methods_table", text(self.methods_table.clone())),
            ("has_tree", Column::Int(vec![self.has_tree.into()])),
            ("key_version", Column::Int(vec![KEY_VERSION])),
            ("run_key", long(self.key())),
        ]);
        table::write("runs", &columns, &[], out)
    }

    /// Reads the row of a run.
    ///
    /// # Errors
    /// If the file is not such a table, or of another version.
    pub fn read(path: &Path) -> Result<Self> {
        let numbers = ["start_millis", "end_millis", "contexts_lost", "active_at_end", "contexts"];
        let more = ["methods", "metric", "total", "methods_table", "has_tree", "key_version"];
        let wanted = [&TEXTS[..], &numbers, &more, &METRICS].concat();
        let mut table = table::read(path, &wanted)?;
        let version = one(table.ints("key_version")?, &table)?;
        if version != KEY_VERSION {
            return Err(table.error(&format!(
                "its keys have version {version}, this program reads {KEY_VERSION}"
            )));
        }
        let labels = one_text(&mut table, "labels")?;
        let labels = serde_json::from_str(&labels)
            .map_err(|_| table.error("its labels are no object of texts"))?;
        let mut totals = [None; 3];
        for (total, name) in totals.iter_mut().zip(METRICS) {
            *total = one(table.optional(name)?, &table)?;
        }
        Ok(Self {
            id: one_text(&mut table, "run_id")?,
            program: one_text(&mut table, "program")?,
            date: one_text(&mut table, "run_date")?,
            labels,
            start_millis: one_long(&mut table, "start_millis")?,
            end_millis: one_long(&mut table, "end_millis")?,
            jvm: one_text(&mut table, "jvm")?,
            command_line: one_text(&mut table, "command_line")?,
            options: one_text(&mut table, "options")?,
            origin: one_text(&mut table, "origin")?,
            completeness: one_text(&mut table, "completeness")?,
            contexts_lost: one_long(&mut table, "contexts_lost")?,
            active_at_end: one(table.optional("active_at_end")?, &table)?,
            contexts: one_long(&mut table, "contexts")?,
            methods: one_long(&mut table, "methods")?,
            metric: one_text(&mut table, "metric")?,
            total: one_long(&mut table, "total")?,
            totals,
            methods_table: one_text(&mut table, "methods_table")?,
            has_tree: one(table.ints("has_tree")?, &table)? != 0,
        })
    }
}

fn text(text: String) -> Column {
    Column::Text(vec![text])
}

/// The only row.
fn one<T>(values: Vec<T>, table: &Table) -> Result<T> {
    let [value] = <[T; 1]>::try_from(values).map_err(|_| table.error("it has not one row"))?;
    Ok(value)
}

fn one_text(table: &mut Table, name: &str) -> Result<String> {
    let values = table.texts(name)?;
    one(values, table)
}

fn one_long(table: &mut Table, name: &str) -> Result<i64> {
    let values = table.longs(name)?;
    one(values, table)
}

fn date_of(millis: u64) -> String {
    if millis == 0 {
        return String::new();
    }
    let DateTime { year, month, day, .. } = DateTime::from_millis(millis);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use profile::{Completeness, RunInfo};

    use super::{Labels, Run, date_of};

    #[test]
    fn what_began_in_the_middle_is_not_whole() {
        use Completeness::{Complete, CutShort, Snapshot};
        for (is_attached, completeness, said) in [
            (false, Complete, "complete"),
            (true, Complete, "attached"),
            (true, Snapshot, "attached"),
            (false, Snapshot, "snapshot"),
            (true, CutShort, "cut_short"),
        ] {
            let info = RunInfo { is_attached, completeness, ..RunInfo::default() };
            let run = Run::of(String::new(), &info, Labels::new());
            assert_eq!((run.completeness.as_str(), run.is_whole()), (said, said == "complete"));
        }
    }

    #[test]
    fn dates() {
        assert_eq!((date_of(0), date_of(951_782_400_000)), ("".into(), "2000-02-29".to_owned()));
    }
}
