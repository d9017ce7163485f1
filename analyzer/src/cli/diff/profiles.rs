//! The profiles that are compared.

use std::path::{Path, PathBuf};

use analysis::dataflow::copies::unite::{Copies, Sensitivity, unite};
use analysis::diff::code::Code;
use analysis::diff::signatures::Signatures;
use analysis::diff::splits::{SplitMismatch, Splits, split_mismatches};
use base::tell;
use profile::{Metric, Profile};
use tree::Tree;
use tree::alignment::align;
use tree::error::{Error, Result};
use tree::forest::MetricChoice;
use tree::names::generated::make_comparable;
use tree::time::TIME;

use super::Args;
use crate::cli::progress::Progress;
use crate::cli::reading::flaw;
use crate::cli::source::Choice;

/// The runs of both programs. All trees share one table of methods and have the
/// same metrics; the one to compare by comes first.
pub struct Profiles {
    /// Before.
    pub base: Side,
    /// After.
    pub new: Side,
    /// Methods of other signatures; all trees have them as those of the side after.
    pub signatures: Signatures,
}

/// The runs of one program.
#[derive(Clone)]
pub struct Side {
    /// A tree for each run, at least one.
    pub trees: Vec<Tree>,
    /// The code of the methods, of all runs together.
    pub code: Code,
    /// Samples of a plain run by context, of a single run that has them. They are no metric of
    /// the trees unless they are compared by it.
    pub time: Option<Metric>,
    /// What the last run copies, by allocation sites; of all threads.
    pub copies: Option<Copies>,
    /// The agent's option `split` of each run, with the run's name.
    splits: Vec<(String, Splits)>,
}

impl Profiles {
    /// Reads them.
    ///
    /// # Errors
    /// If a profile cannot be read, or they have no metric in common.
    pub fn load(before: &[PathBuf], after: &[PathBuf], choice: &Choice) -> Result<Self> {
        let all: Vec<PathBuf> = before.iter().chain(after).cloned().collect();
        let progress = Progress::of_files(&all);
        let base = Side::load(before, choice, &progress)?;
        let new = Side::load(after, choice, &progress)?;
        progress.say("comparing");
        Self::of(base, new, choice)
    }

    /// Those that were read before.
    ///
    /// # Errors
    /// If they have no metric in common.
    pub fn of(base: Side, new: Side, choice: &Choice) -> Result<Self> {
        let metrics = common_metrics(&base, &new, choice)?;
        let signatures = Signatures::between(&base.code, &new.code);
        let mut profiles = Self { base, new, signatures };
        profiles.choose_metrics(&metrics);
        align(profiles.trees_mut());
        profiles.base.trees.iter_mut().for_each(|tree| profiles.signatures.rename(tree));
        Ok(profiles)
    }

    fn trees_mut(&mut self) -> impl Iterator<Item = &mut Tree> {
        self.base.trees.iter_mut().chain(&mut self.new.trees)
    }

    /// Keeps these metrics, the one to compare by first.
    pub fn choose_metrics(&mut self, names: &[String]) {
        self.trees_mut().for_each(|tree| tree.choose_metrics(names));
    }

    /// True if both sides say anything about the code of methods.
    pub fn code_is_known(&self) -> bool {
        !self.base.code.is_empty() && !self.new.code.is_empty()
    }

    /// The code of both sides.
    pub fn codes(&self) -> [&Code; 2] {
        [&self.base.code, &self.new.code]
    }

    /// Entries of the option `split` that not all runs have.
    pub fn split_mismatches(&self) -> Vec<SplitMismatch> {
        let all = self.base.splits.iter().chain(&self.new.splits);
        let all: Vec<_> = all.map(|(name, splits)| (name.as_str(), splits)).collect();
        split_mismatches(&all)
    }

    /// Both sides, if each has one run.
    pub fn pair(&self) -> Option<[&Side; 2]> {
        (self.base.trees.len() + self.new.trees.len() == 2).then_some([&self.base, &self.new])
    }
}

/// The files before and after.
///
/// # Errors
/// If there are not two sides.
pub fn sides(args: &Args) -> Result<(&[PathBuf], &[PathBuf])> {
    let (before, after) = match (&args.files[..], &args.after[..]) {
        ([base, new], []) => (std::slice::from_ref(base), std::slice::from_ref(new)),
        ([_], []) => {
            return Err(Error::new(
                "there is nothing to compare with: name the profile after, too",
            ));
        }
        (_, []) => {
            return Err(Error::new(
                "which profiles are before, and which after? Put -- between them",
            ));
        }
        sides => sides,
    };
    let several = before.len() + after.len() > 2;
    let question = &args.question;
    if several && (question.contexts || question.exclusive || question.inclusive) {
        return Err(Error::new(
            "--exclusive, --inclusive and --contexts compare one profile with one",
        ));
    }
    Ok((before, after))
}

impl Side {
    /// Reads them.
    ///
    /// # Errors
    /// If a profile cannot be read.
    pub fn load(files: &[PathBuf], choice: &Choice, progress: &Progress) -> Result<Self> {
        let mut trees = Vec::with_capacity(files.len());
        let mut code = Code::default();
        let mut copies = None;
        let mut splits = Vec::with_capacity(files.len());
        for file in files {
            let name = file.to_string_lossy().into_owned();
            progress.say(&format!("reading {name}"));
            let mut profile = choice.read(file, &MetricChoice::Every)?;
            splits.push((name.clone(), Splits::of(&profile)));
            make_comparable(&mut profile);
            if let Some(flaw) = flaw(&profile) {
                progress.wipe();
                tell!("note: {name}: {flaw}");
            }
            code.add(&profile);
            progress.say("merging");
            let selection = choice.selection(MetricChoice::Every, false)?;
            let profile = vec![(name, profile)];
            if profile[0].1.dataflow.copies.is_some() && files.len() == 1 {
                copies = Some(unite(&profile, Sensitivity::Sites)?);
            }
            trees.push(Tree::merge(profile, &selection)?);
        }
        Ok(Self { time: time(&trees), trees, code, copies, splits })
    }

    /// One that was read before, with its name in messages.
    ///
    /// # Errors
    /// If it has no method that is named, or contradicts itself.
    pub fn one((name, mut profile): (String, Profile), choice: &Choice) -> Result<Self> {
        let named = |error: Error| error.of_file(Path::new(&name));
        choice.filter().apply(&mut profile).map_err(named)?;
        let code = Code::of(&profile);
        let splits = vec![(name.clone(), Splits::of(&profile))];
        let selection = choice.selection(MetricChoice::Every, false)?;
        let tree = Tree::merge(vec![(name, profile)], &selection)?;
        let trees = vec![tree];
        Ok(Self { time: time(&trees), trees, code, copies: None, splits })
    }

    /// The tree of the first run.
    pub fn tree(&self) -> &Tree {
        &self.trees[0]
    }

    /// Metrics that all runs have.
    fn metrics(&self) -> Vec<String> {
        let mut names = self.trees[0].metric_names();
        for tree in &self.trees {
            let of_tree = tree.metric_names();
            names.retain(|name| of_tree.contains(name));
        }
        names
    }
}

/// Samples of a plain run, if it is one run.
fn time(trees: &[Tree]) -> Option<Metric> {
    let [tree] = trees else { return None };
    tree.metrics.iter().find(|metric| metric.name == TIME).cloned()
}

/// The metrics that all profiles have, the one to compare by first.
fn common_metrics(base: &Side, new: &Side, choice: &Choice) -> Result<Vec<String>> {
    let (of_base, of_new) = (base.metrics(), new.metrics());
    let mut common: Vec<String> =
        of_base.iter().filter(|name| of_new.contains(name)).cloned().collect();
    let wanted = choice.metric.as_deref();
    // The number of samples says nothing about a program.
    common.retain(|name| name != TIME || wanted == Some(TIME));
    let usual =
        wanted.is_none().then_some("bytecodes").filter(|name| common.iter().any(|n| n == name));
    let first =
        wanted.or(usual).map_or_else(|| common.first().cloned(), |name| Some(name.to_owned()));
    match first {
        Some(first) if common.contains(&first) => {
            common.sort_by_key(|name| *name != first);
            Ok(common)
        }
        _ => Err(Error::new(format!(
            "the profiles have no such metric in common (before: {}; after: {})",
            of_base.join(", "),
            of_new.join(", ")
        ))),
    }
}
