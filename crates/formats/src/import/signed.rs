//! Files with values that may be less than nothing: differences of profiles. There are no
//! such costs, so what is less in a context is a metric of its own.

use std::path::Path;

use profile::Profile;

use crate::import::allowance::Allowance;
use crate::import::builder::{Builder, Paths};
use crate::import::times::Times;
use tree::error::{Error, Result};

/// What stands before the name of a metric that counts what is less.
const LESS: &str = "less ";

/// Makes a profile of one file after the other, a thread each.
pub struct Signed {
    format: &'static str,
    /// With the names of what is measured.
    builder: Option<(Builder, Vec<String>)>,
    /// When the files were recorded.
    pub times: Times,
    allowance: Allowance,
}

impl Signed {
    /// Of files of this format.
    pub fn new(format: &'static str) -> Self {
        let allowance = Allowance::default();
        Self { format, builder: None, times: Times::default(), allowance }
    }

    /// What the files may ask for.
    pub fn allowance(&self) -> &Allowance {
        &self.allowance
    }

    /// Says what is wrong with a file.
    pub fn wrong(&self, path: &Path, what: &str) -> Error {
        Error::new(format!("{}: no {} profile: {what}", path.display(), self.format))
    }

    /// Adds the thread of a file that has these metrics, which `fill` gives its samples.
    ///
    /// # Errors
    /// If `fill` says so, the file has no metrics or no samples, or others than those before.
    pub fn thread(
        &mut self,
        path: &Path,
        metrics: Vec<String>,
        fill: impl FnOnce(&mut Builder, &mut Paths) -> Result<()>,
    ) -> Result<()> {
        if metrics.is_empty() {
            return Err(self.wrong(path, "it has no sample types"));
        }
        let no_samples = self.wrong(path, "it has no samples");
        let (builder, known) = self.builder.get_or_insert_with(|| {
            let less = metrics.iter().map(|name| format!("{LESS}{name}"));
            let all: Vec<String> = metrics.iter().cloned().chain(less).collect();
            (Builder::new(&all), metrics.clone())
        });
        if *known != metrics {
            let (now, before) = (metrics.join(", "), known.join(", "));
            return Err(self.wrong(path, &format!("it measures {now}, the one before {before}")));
        }
        let mut paths = Paths::new(2 * metrics.len(), &self.allowance);
        fill(builder, &mut paths)?;
        if paths.is_empty() {
            return Err(no_samples);
        }
        for metric in 0..metrics.len() {
            paths.balance(metric, metrics.len() + metric);
        }
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        builder.thread(name, &paths).map_err(|error| error.of_file(path))
    }

    /// The profile.
    ///
    /// # Errors
    /// If there was no file.
    pub fn finish(self) -> Result<Profile> {
        let (builder, known) = self.builder.ok_or_else(|| Error::new("no file given"))?;
        let mut profile = builder.finish(self.format);
        self.times.note(&mut profile.run);
        // Most files are no differences.
        let mut at = 0;
        profile.nodes.metrics.retain(|metric| {
            at += 1;
            at <= known.len() || metric.values.iter().any(|&value| value > 0)
        });
        Ok(profile)
    }
}

/// Adds a value to a path: to the metric with this number, of so many, or to what is less of it.
///
/// # Errors
/// If the sum leaves 64 bits.
pub fn add(
    paths: &mut Paths,
    at: u32,
    (metric, metrics): (usize, usize),
    value: i64,
) -> Result<()> {
    let metric = if value < 0 { metrics + metric } else { metric };
    paths.add(at, metric, value.unsigned_abs())
}
