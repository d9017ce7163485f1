//! Samples of a plain run, from another tool's file.

use std::path::Path;

use formats::import::folded::Importer;
use formats::import::{input, jfr, pprof};
use profile::Profile;
use profile::sampling::Sampling;
use tree::error::{Error, Result};
use tree::names::generated::make_comparable;
use tree::time;

/// Samples, and what is known of their run.
#[derive(Debug)]
pub struct Samples {
    profile: Profile,
    about: Sampling,
    facts: jfr::Facts,
    /// Where they come from, for messages.
    file: String,
}

impl Samples {
    /// Reads a flight recording, a pprof file, or folded stacks.
    ///
    /// # Errors
    /// If the file cannot be read, or has no samples.
    pub fn read(path: &Path) -> Result<Self> {
        let (mut profile, about, facts) = read(path)?;
        make_comparable(&mut profile);
        Ok(Self { profile, about, facts, file: base::shown(path).to_string() })
    }

    /// The program and its arguments, as far as a flight recording tells.
    pub fn program(&self) -> &str {
        &self.facts.program
    }

    /// When the recording began, in milliseconds since 1970; 0 if unknown.
    pub fn start_millis(&self) -> u64 {
        self.facts.millis[0]
    }

    /// How long the run that was sampled took, and its processor time, where the
    /// caller knows better than the file.
    pub fn took(&mut self, wall_millis: u64, cpu_millis: u64) {
        self.about.wall_millis = wall_millis;
        self.about.cpu_millis = cpu_millis;
    }

    /// They are of a part of the run, so long.
    pub fn of_part(&mut self, wall_millis: u64) {
        self.took(wall_millis, 0);
        self.about.compiler_millis = self.facts.compiler_millis_meanwhile();
    }

    /// Lays them on the contexts of a recording.
    ///
    /// # Errors
    /// If no sample is in a context.
    pub fn lay_on(&self, recording: &mut Profile) -> Result<()> {
        time::lay(recording, &self.profile, self.about.clone())
            .map_err(|error| Error::new(format!("{}: {error}", self.file)))
    }
}

fn read(path: &Path) -> Result<(Profile, Sampling, jfr::Facts)> {
    if input::guess(path) == Some("jfr") {
        let recording = jfr::read_noted(&[path])?;
        return Ok((recording.profile, recording.facts.sampling(), recording.facts));
    }
    let is_pprof = path.extension().is_some_and(|extension| {
        ["pprof", "pb", "gz"].iter().any(|known| extension.eq_ignore_ascii_case(known))
    });
    let (profile, sampler) = if is_pprof {
        (pprof::read(&[path.to_owned()])?, "a pprof file")
    } else {
        let mut importer = Importer::default();
        importer.read_file(path)?;
        (importer.finish(), "folded stacks")
    };
    let about = Sampling { sampler: sampler.to_owned(), ..Sampling::default() };
    Ok((profile, about, jfr::Facts::default()))
}
