//! The profiles that a command works on.

use std::path::{Path, PathBuf};

use analysis::subsuming::{REFLECTION, Thresholds};
use base::tell;
use clap::Args;
use profile::Profile;
use tree::Tree;
use tree::error::{Error, Result};
use tree::filter::Filter;
use tree::forest::{BESIDE, MetricChoice, Selection};
use tree::names::generated::make_comparable;
use tree::names::pattern::Pattern;
use tree::start_up::StartUp;

use crate::cli::own::Own;
use crate::cli::progress::Progress;
use crate::cli::reading::{flaw, read};
use crate::cli::samples::Samples;
use crate::cli::start::{Start, WithoutStart};

/// Which profiles, and what of them.
#[derive(Debug, Args)]
pub struct Source {
    /// Profiles; several are merged path by path.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    #[command(flatten)]
    choice: Choice,
}

/// What decides which methods subsume.
#[derive(Debug, Args)]
pub struct Bounds {
    /// Subsuming methods have a height greater than H.
    #[arg(long, value_name = "H", default_value_t = 4)]
    pub height: u32,

    /// Subsuming methods have a dominating-method distance greater than D.
    #[arg(long, value_name = "D", default_value_t = 4)]
    pub distance: u32,

    /// Another method that must not subsume: Class.name, or * for any characters; may be
    /// repeated. java.lang.reflect.Method.invoke never subsumes.
    #[arg(long, value_name = "METHOD")]
    never: Vec<String>,
}

impl Bounds {
    /// Height and distance.
    pub fn thresholds(&self) -> Thresholds {
        Thresholds { height: self.height, distance: self.distance }
    }

    /// The methods that never subsume.
    pub fn never(&self) -> Pattern {
        Pattern::of_names(
            &self.never.iter().fold(REFLECTION.to_owned(), |all, more| all + ";" + more),
        )
    }
}

/// What of the profiles.
#[derive(Debug, Default, Args)]
pub struct Choice {
    /// Cost to analyse, such as bytecodes, calls or allocations [default:
    /// bytecodes, or the only one there is].
    #[arg(long, value_name = "NAME")]
    pub metric: Option<String>,

    /// Only threads whose name matches; * stands for any characters, ; separates several.
    #[arg(long, value_name = "PATTERN")]
    pub thread: Option<String>,

    /// Only contexts below methods whose name matches: Class.name, or * for any characters;
    /// separate several with ;.
    #[arg(long, value_name = "METHOD")]
    under: Option<String>,

    /// Leave out contexts below methods whose name matches, in the form of --under. 'jvm-start'
    /// and 'class-loading' stand for what the JVM executes when it starts and to load classes.
    #[arg(long, value_name = "METHOD")]
    without: Option<String>,

    #[command(flatten)]
    own: Own,
}

/// What of the answer is shown, and how.
#[derive(Debug, Args)]
pub struct Output {
    /// Show only classes whose name matches, such as 'java.util.*'; * stands for
    /// any characters, ; separates several.
    #[arg(long, value_name = "PATTERN")]
    class: Option<String>,

    /// Show only the first N; 0 for all.
    #[arg(long, value_name = "N")]
    top: Option<usize>,

    /// Print JSON for programs.
    #[arg(long)]
    pub json: bool,
}

impl Output {
    /// The pattern for classes.
    pub fn class(&self) -> Option<Pattern> {
        self.class.as_deref().map(Pattern::new)
    }

    /// Why nothing is shown, if that may be because no class matches; `what` is
    /// what would be shown.
    pub fn hint(&self, what: &str) -> Option<String> {
        let class = self.class()?;
        Some(format!(
            "No {what} of a class that matches {class} (a pattern stands for the whole name: \
             '*.HashMap', 'java.util.*')"
        ))
    }

    /// What to say where nothing is listed: the hint that no class matches, or `otherwise`
    /// if all classes were asked for.
    pub fn nothing(&self, what: &str, otherwise: &str) -> String {
        self.hint(what).unwrap_or_else(|| otherwise.to_owned())
    }

    /// How many to show: what was asked for, otherwise `default`.
    pub fn top(&self, default: usize) -> usize {
        match self.top.unwrap_or(default) {
            0 => usize::MAX,
            top => top,
        }
    }

    /// How many entries the answer has: as many as asked for, otherwise all of them in JSON
    /// and `default` in text.
    pub fn entries(&self, default: usize) -> usize {
        self.entries_or_all(self.json, default)
    }

    /// How many entries the answer has: all of them where it `is_whole` and the user says
    /// nothing else.
    pub fn entries_or_all(&self, is_whole: bool, default: usize) -> usize {
        self.top(if is_whole { ALL } else { default })
    }
}

/// What [`Output::top`] takes for "no limit".
pub const ALL: usize = 0;

impl Source {
    /// Reads and merges the profiles.
    ///
    /// # Errors
    /// If a profile cannot be read, or does not have what is selected.
    pub fn tree(&self, call_sites: bool) -> Result<Tree> {
        self.choice.tree(&self.files, call_sites)
    }

    /// Reads and merges the profiles, without what happens once if that is left out.
    ///
    /// # Errors
    /// If a profile cannot be read, or does not have what is selected.
    pub fn tree_without(&self, start: WithoutStart, call_sites: bool) -> Result<Tree> {
        self.choice.tree_without(start, &self.files, call_sites)
    }

    /// Reads the profile as [`Source::tree_without`] does, and lays the time of samples on
    /// its contexts.
    ///
    /// # Errors
    /// If the profile cannot be read or does not have what is selected, if there are several
    /// profiles, or if no sample is in a context.
    pub fn tree_with_time(&self, start: WithoutStart, samples: &Samples) -> Result<Tree> {
        if self.files.len() > 1 {
            return Err(Error::new(
                "samples are laid on one profile; 'subsume time' puts them in it, and then \
                 several can be merged",
            ));
        }
        self.choice.tree_prepared(start, &self.files, false, Preparation::Time(samples))
    }

    /// Reads and merges the profiles, with the metric `also` behind the others where the user
    /// names none and all profiles have it, and with the threads that leaving the start out
    /// compares.
    ///
    /// # Errors
    /// If a profile cannot be read, or does not have what is selected.
    pub fn tree_with(&self, also: &str, start: Start) -> Result<Tree> {
        let metric = match &self.choice.metric {
            Some(name) => MetricChoice::Named(name.clone()),
            None => MetricChoice::UsualWith(also.to_owned()),
        };
        let threads = start.is_left_out();
        let selection = Selection { threads, ..self.choice.selection(metric, false)? };
        self.choice.tree_of(&self.files, &selection, Preparation::AsTheyAre)
    }

    /// Reads and merges the profiles, and takes out what happens once unless that counts; with
    /// what was found of it.
    ///
    /// # Errors
    /// If a profile cannot be read, or does not have what is selected.
    pub fn tree_and_start(&self, start: Start) -> Result<(Tree, Option<StartUp>)> {
        let threads = start.is_left_out();
        let choice = &self.choice;
        let selection = Selection { threads, ..choice.selection(choice.metric(), false)? };
        let mut tree = choice.tree_of(&self.files, &selection, Preparation::AsTheyAre)?;
        let start = start.put_aside(&mut tree);
        Ok((tree, start))
    }

    /// Reads and merges the profiles with all their metrics, the chosen one first.
    ///
    /// # Errors
    /// If a profile cannot be read, or they do not have the chosen metric in common.
    pub fn tree_of_all_metrics(&self, call_sites: bool) -> Result<Tree> {
        let selection = self.choice.selection(MetricChoice::Every, call_sites)?;
        let mut tree = self.choice.tree_of(&self.files, &selection, Preparation::AsTheyAre)?;
        let mut names = tree.metric_names();
        let first = self.choice.metric.clone().unwrap_or_else(|| "bytecodes".to_owned());
        if self.choice.metric.is_some() && !names.contains(&first) {
            let known = names.join(", ");
            return Err(Error::new(format!(
                "no metric '{first}' in all files (there are: {known})"
            )));
        }
        names.sort_by_key(|name| *name != first);
        tree.choose_metrics(&names);
        Ok(tree)
    }

    /// Reads and merges the profiles, threads of different names apart.
    ///
    /// # Errors
    /// If a profile cannot be read, or does not have what is selected.
    pub fn tree_by_thread(&self) -> Result<Tree> {
        let choice = &self.choice;
        let selection = Selection { by_thread: true, ..choice.selection(choice.metric(), false)? };
        choice.tree_of(&self.files, &selection, Preparation::AsTheyAre)
    }

    /// The files to read.
    pub fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// What of them is wanted.
    pub fn choice(&self) -> &Choice {
        &self.choice
    }
}

/// What happens to profiles before they are merged.
#[derive(Debug, Clone, Copy)]
enum Preparation<'a> {
    AsTheyAre,
    /// Generated classes get names that can be found again in another run.
    Comparable,
    /// The time that samples tell is laid on the contexts.
    Time(&'a Samples),
}

impl Choice {
    /// Reads and merges profiles, and warns of those that are not whole.
    ///
    /// # Errors
    /// If a profile cannot be read, or does not have what is selected.
    pub fn tree(&self, files: &[PathBuf], call_sites: bool) -> Result<Tree> {
        self.tree_of(files, &self.selection(self.metric(), call_sites)?, Preparation::AsTheyAre)
    }

    /// Reads and merges profiles, without what happens once if that is left out; a note says so.
    ///
    /// # Errors
    /// If a profile cannot be read, or does not have what is selected.
    pub fn tree_without(
        &self,
        start: WithoutStart,
        files: &[PathBuf],
        call_sites: bool,
    ) -> Result<Tree> {
        self.tree_prepared(start, files, call_sites, Preparation::AsTheyAre)
    }

    fn tree_prepared(
        &self,
        start: WithoutStart,
        files: &[PathBuf],
        call_sites: bool,
        preparation: Preparation<'_>,
    ) -> Result<Tree> {
        let threads = start.is_left_out();
        let selection = Selection { threads, ..self.selection(self.metric(), call_sites)? };
        let mut tree = self.tree_of(files, &selection, preparation)?;
        start.put_aside(&mut tree);
        Ok(tree)
    }

    /// Like [`Choice::tree`], with names of generated classes that can be found
    /// again in another run.
    ///
    /// # Errors
    /// If a profile cannot be read, or does not have what is selected.
    pub fn comparable_tree(&self, files: &[PathBuf]) -> Result<Tree> {
        let selection = self.selection(self.metric(), false)?;
        self.tree_of(files, &selection, Preparation::Comparable)
    }

    /// Reads a profile with the columns that are wanted, and what is of interest of
    /// its contexts.
    ///
    /// # Errors
    /// If the profile cannot be read, or has no method that is named.
    pub fn read(&self, path: &Path, metric: &MetricChoice) -> Result<Profile> {
        let mut profile = read(path, metric)?;
        self.leave_out(path, &mut profile)?;
        Ok(profile)
    }

    /// Leaves out contexts that are of no interest; `path` is the profile's name in messages.
    fn leave_out(&self, path: &Path, profile: &mut Profile) -> Result<()> {
        self.filter().apply(profile).map_err(|error| error.of_file(path))
    }

    /// Which contexts are of interest, by the methods above them.
    pub fn filter(&self) -> Filter {
        Filter::new(self.under.as_deref(), self.without.as_deref())
    }

    /// What the user says is their own code.
    pub fn own(&self) -> &Own {
        &self.own
    }

    fn metric(&self) -> MetricChoice {
        self.metric.clone().map_or(MetricChoice::Usual, MetricChoice::Named)
    }

    fn tree_of(
        &self,
        files: &[PathBuf],
        selection: &Selection,
        preparation: Preparation<'_>,
    ) -> Result<Tree> {
        let progress = Progress::of_files(files);
        let mut profiles = Vec::with_capacity(files.len());
        let mut others = Vec::new();
        for file in files {
            let name = file.to_string_lossy().into_owned();
            progress.say(&format!("reading {name}"));
            let mut profile = read(file, &selection.metric)?;
            // Stacks lead from the first frame on, so this comes before some are left out.
            if let Preparation::Time(samples) = preparation {
                samples.lay_on(&mut profile)?;
            }
            self.leave_out(file, &mut profile)?;
            if let Preparation::Comparable = preparation {
                make_comparable(&mut profile);
            }
            if let Some(flaw) = flaw(&profile) {
                progress.wipe();
                tell!("note: {name}: {flaw}");
            }
            let is_usual =
                matches!(selection.metric, MetricChoice::Usual | MetricChoice::UsualWith(_));
            if profiles.is_empty() && is_usual {
                others.extend(profile.nodes.metrics.iter().map(|metric| metric.name.clone()));
            }
            profiles.push((name, profile));
        }
        progress.say("merging");
        let tree = Tree::merge(profiles, selection)?;
        // The user has named none, and may not know of the others in an import.
        others.retain(|name| !BESIDE.contains(&name.as_str()) && name != tree.metric());
        if tree.metric() != "bytecodes" && !others.is_empty() {
            progress.wipe();
            let (taken, others) = (tree.metric(), others.join(", "));
            tell!("note: costs are {taken}; with --metric also: {others}");
        }
        Ok(tree)
    }

    /// The selection for merging.
    ///
    /// # Errors
    /// If sources of the user's own code cannot be read.
    pub fn selection(&self, metric: MetricChoice, call_sites: bool) -> Result<Selection> {
        let thread = self.thread.as_deref().map(Pattern::new);
        let own = self.own.code()?;
        Ok(Selection { metric, thread, call_sites, own, ..Selection::default() })
    }
}
