//! Runs of a fleet as one profile.

use fleet::archive;
use fleet::dataset::{Dataset, Kind};
use fleet::run::Run;
use profile::Profile;
use tree::error::{Error, Result};
use tree::exceptions;
use tree::fold::Fold;
use tree::names::generated::make_comparable;

/// All runs as one profile, with all costs times `factor`.
///
/// # Errors
/// If a profile is not there, cannot be read, or costs do not fit in 64 bits.
pub fn fold(dataset: &Dataset, runs: &[Run], factor: u64) -> Result<Profile> {
    let mut fold = Fold::default();
    for run in runs {
        if !run.has_tree {
            return Err(Error::new(format!("run {} was added without its profile", run.id)));
        }
        let path = dataset.path(Kind::Trees, run);
        let mut profile = archive::profile(&path)?;
        make_comparable(&mut profile);
        fold.add(&path.to_string_lossy(), profile)?;
    }
    fold.multiply(factor)?;
    let mut bytes = Vec::new();
    fold.write("subsume fleet", &mut bytes)?;
    let mut folded = profile::read(&bytes).map_err(|error| Error::new(error.to_string()))?;
    // As of a profile that is read from a file.
    if exceptions::are_known(&folded) {
        exceptions::add(&mut folded);
    }
    Ok(folded)
}

/// The least number of which both are a part.
pub fn multiple(one: u64, other: u64) -> u64 {
    let (mut divisor, mut rest) = (one, other);
    while rest > 0 {
        (divisor, rest) = (rest, divisor % rest);
    }
    one / divisor * other
}
