//! `subsume methods --time`: samples of a plain run, read and laid over the tree.

use std::io::Write;
use std::path::Path;

use analysis::subsuming::Subsuming;
use analysis::subsuming::sampled_time::{SampledTime, sampled_time};
use base::number::{counted, percent};
use base::shown;
use formats::import::folded::Importer;
use formats::import::{input, jfr, pprof};
use profile::Profile;
use tree::Tree;
use tree::error::{Error, Result};
use tree::forest::{MetricChoice, Selection};
use tree::names::generated::make_comparable;

/// Reads samples and lays them over the exact tree.
///
/// # Errors
/// If the file cannot be read, or holds no samples.
pub fn read(path: &Path, tree: &Tree, analysis: &Subsuming) -> Result<SampledTime> {
    let mut profile = samples(path)?;
    make_comparable(&mut profile);
    // Stacks that were sampled for what they allocate are no time.
    let has_samples = profile.nodes.metric("samples").is_some();
    let metric = match has_samples {
        true => MetricChoice::Named("samples".to_owned()),
        false => MetricChoice::Usual,
    };
    let selection = Selection { metric, ..Selection::default() };
    let time = Tree::merge(vec![(path.to_string_lossy().into_owned(), profile)], &selection)?;
    if time.total() == 0 {
        return Err(Error::new(format!("{}: there are no samples in it", shown(path))));
    }
    Ok(sampled_time(tree, &analysis.subsumes, &time))
}

/// Samples of a flight recording, a pprof file, or folded stacks.
fn samples(path: &Path) -> Result<Profile> {
    if input::guess(path) == Some("jfr") {
        return jfr::read(&[path]);
    }
    let is_pprof = path.extension().is_some_and(|extension| {
        ["pprof", "pb", "gz"].iter().any(|known| extension.eq_ignore_ascii_case(known))
    });
    if is_pprof {
        return pprof::read(&[path.to_owned()]);
    }
    let mut importer = Importer::default();
    importer.read_file(path)?;
    Ok(importer.finish())
}

/// What the samples do not tell, on a line or two.
///
/// # Errors
/// If `out` fails.
pub fn heading(time: &SampledTime, out: &mut impl Write) -> Result<()> {
    write!(out, "Time: {} of a plain run", counted(time.total, "sample"))?;
    if time.unknown > 0 {
        let share = percent(time.unknown, time.total);
        write!(out, "; {share} in methods that were not executed here")?;
    }
    if time.without_root > 0 {
        let share = percent(time.without_root, time.total);
        write!(out, "; {share} on stacks that the sampler cut, or that begin elsewhere")?;
    }
    writeln!(out)?;
    Ok(())
}
