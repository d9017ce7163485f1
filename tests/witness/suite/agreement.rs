//! Runs the programs and compares what was recorded with what was witnessed.

use std::collections::HashSet;
use std::fs;
use std::time::Instant;

use support::{Jdk, each, jdks, target};
use witness::{Counts, Difference, Dump, Method, Program, Skipped, Tree, differences};

use crate::classes::classes;
use crate::features::{self, Feature, NATIVES_ON_NULL, Scope, TOGETHER};
use crate::lines;

#[test]
fn language() {
    agree(features::LANGUAGE);
}

#[test]
fn flow() {
    agree(features::FLOW);
}

#[test]
fn indirect_calls() {
    agree(features::INDIRECT);
}

#[test]
fn library() {
    agree(features::LIBRARY);
}

#[test]
fn threads() {
    agree(features::THREADS);
}

#[test]
fn class_files() {
    agree(features::CLASS_FILES);
}

/// Demands that all programs agree, and tells of all that do not.
fn agree(features: &[Feature]) {
    let wanted = std::env::var("SUBSUME_WITNESS").unwrap_or_default();
    let wanted = features.iter().filter(|feature| feature.name.starts_with(&wanted));
    let (together, alone): (Vec<&Feature>, Vec<&Feature>) =
        wanted.partition(|feature| feature.runs_beside_others());
    let groups: Vec<Vec<&Feature>> =
        alone.into_iter().map(|feature| vec![feature]).chain([together]).collect();
    let mut cases: Vec<(&Jdk, Vec<&Feature>)> = Vec::new();
    for group in groups {
        for jdk in jdks() {
            let group: Vec<_> = group.iter().copied().filter(|one| one.runs_on(jdk)).collect();
            if !group.is_empty() {
                cases.push((jdk, group));
            }
        }
    }
    let failures = each(&cases, |(jdk, group)| {
        let names = names(group).join(", ");
        let start = Instant::now();
        let outcome = check(group, jdk);
        let seconds = start.elapsed().as_secs_f64();
        match outcome {
            Ok(contexts) => {
                println!("{names} on {}: {contexts} contexts, {seconds:.1} s", jdk.release);
                None
            }
            Err(why) => Some(format!("{names} on {jdk}: {why}")),
        }
    });
    let failures: Vec<String> = failures.into_iter().flatten().collect();
    assert!(failures.is_empty(), "{} fail\n{}", failures.len(), failures.join("\n"));
}

fn names<'a>(group: &[&'a Feature]) -> Vec<&'a str> {
    group.iter().map(|feature| feature.name).collect()
}

/// Runs programs in one JVM, four times; the number of contexts that were compared.
fn check(group: &[&Feature], jdk: &Jdk) -> Result<usize, String> {
    let first = group.first().ok_or("there is no program")?;
    let (main_class, arguments) = if group.len() == 1 {
        (first.name, Vec::new())
    } else {
        (TOGETHER, names(group).into_iter().map(str::to_owned).collect())
    };
    let folder = target().join("tmp/witness").join(format!("{}-{}", first.name, jdk.release));
    fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let program = Program {
        jdk,
        main_class,
        class_path: classes(first.level).into(),
        options: first.options(),
        arguments,
        folder: folder.clone(),
    };
    let (profile, dump) = (folder.join("profile.subsume"), folder.join("witness.txt"));
    let plain = program.plain()?;
    if plain.stdout.is_empty() {
        return Err(format!("does not run at all: {plain:?}"));
    }
    let with_lines = folder.join("lines.subsume");
    for (profile, options) in [(&profile, ""), (&with_lines, ",lines=on")] {
        let recorded = program.recorded(profile, options)?;
        if recorded != plain {
            return Err(format!(
                "recorded{options}, it ends otherwise: {recorded:?} instead of {plain:?}"
            ));
        }
    }
    let watched = program.watched(&dump, &names(group))?;
    if watched != plain {
        return Err(format!("watched, it ends otherwise: {watched:?} instead of {plain:?}"));
    }
    let dump = Dump::read(&dump)?;
    let mut compared = 0;
    for profile in [profile, with_lines] {
        let profile = profile::read_file(&profile).map_err(|error| error.to_string())?;
        if profile.run.contexts_lost > 0 {
            return Err(format!("{} contexts are lost", profile.run.contexts_lost));
        }
        compared = 0;
        for feature in group {
            compared += compare(feature, &profile, &dump)?;
            if !profile.blocks.is_empty() {
                lines::compare(feature, &profile, &dump)?;
            }
        }
    }
    // Kept if they do not agree, to look for the cause.
    fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
    Ok(compared)
}

fn compare(feature: &Feature, profile: &profile::Profile, dump: &Dump) -> Result<usize, String> {
    let skipped = Skipped::of(profile);
    let threads = match feature.scope {
        Scope::Own(threads) => threads,
        _ => &["main"],
    };
    let mut compared = 0;
    for thread in threads {
        for watched in dump.threads.iter().filter(|watched| watched.name.starts_with(thread)) {
            // What is not compared may be missed: the JVM hides virtual threads from
            // every agent while they change their carriers.
            let is_compared = |method: &Method| match feature.scope {
                Scope::BelowMain | Scope::UntilExit => !skipped.contains(method),
                Scope::Own(_) | Scope::DownTo(_) => is_own(feature, method),
            };
            let mut missed = watched.missed.iter();
            if let Some((method, times)) = missed.find(|(method, _)| is_compared(method)) {
                return Err(format!("the witness missed steps of {method}, {times} times"));
            }
        }
        let recorded = Tree::of_profile(profile, thread, &skipped);
        let witnessed = Tree::of_dump(dump, thread, &skipped);
        let recorded = in_scope(feature, thread, &recorded);
        let witnessed = in_scope(feature, thread, &witnessed).with_mute_natives_of(&recorded);
        if witnessed.total().bytecodes == 0 {
            return Err(format!("the witness saw nothing of thread {thread}"));
        }
        compared += witnessed.contexts.len();
        let active = active_at_exit(feature, &witnessed);
        let different: Vec<Difference> = differences(&recorded, &witnessed)
            .into_iter()
            .filter(|difference| !is_of_active(difference, &active))
            .filter(|difference| !is_on_null(feature, difference))
            .collect();
        if let Some(first) = different.first() {
            let count = different.len();
            let more: String = different.iter().skip(1).take(2).map(|d| format!("\n{d}")).collect();
            return Err(format!("{count} contexts of {thread} differ\n{first}{more}"));
        }
    }
    Ok(compared)
}

/// True for a method of the program.
pub fn is_own(feature: &Feature, method: &Method) -> bool {
    let rest = method.class.strip_prefix(feature.name);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('$'))
}

fn in_scope(feature: &Feature, thread: &str, tree: &Tree) -> Tree {
    let is_own = |method: &Method| is_own(feature, method);
    let is_main = |method: &Method| method.class == feature.name && method.name == "main";
    match feature.scope {
        Scope::BelowMain | Scope::UntilExit => tree.below(is_main),
        // The JVM initialises the class of `main` before it calls it.
        Scope::Own(_) if thread == "main" => tree.below(is_main).only(is_own),
        Scope::Own(_) => tree.only(is_own),
        Scope::DownTo(depth) => tree.below(is_main).only(is_own).down_to(depth),
    }
}

/// Ways to the contexts that are active when the program leaves by
/// `System.exit`.
fn active_at_exit(feature: &Feature, witnessed: &Tree) -> HashSet<Vec<Method>> {
    let mut active = HashSet::new();
    if !matches!(feature.scope, Scope::UntilExit) {
        return active;
    }
    let mut pending = vec![(0, Vec::new())];
    while let Some((context, path)) = pending.pop() {
        // It ends the JVM, and does not return.
        let ends = |m: &Method| m.class == "java.lang.Shutdown" && m.name == "halt";
        if path.last().is_some_and(ends) {
            active.extend((1..=path.len()).map(|length| path[..length].to_vec()));
        }
        for (method, &callee) in &witnessed.contexts[context].callees {
            let mut path = path.clone();
            path.push(method.clone());
            pending.push((callee, path));
        }
    }
    active
}

/// True for a method that was active when the program left: what it counted
/// lately is not in its node yet, or what it was about to do already is.
fn is_of_active(different: &Difference, active: &HashSet<Vec<Method>>) -> bool {
    let calls = |counts: Option<Counts>| counts.map(|counts| counts.calls);
    calls(different.recorded) == calls(different.witnessed) && active.contains(&different.path)
}

/// True for a native that is called on null, which the caller counts.
fn is_on_null(feature: &Feature, different: &Difference) -> bool {
    let (Some(recorded), Some(witnessed), Some(method)) =
        (different.recorded, different.witnessed, different.path.last())
    else {
        return false;
    };
    let is_listed = |&(program, class, name, times): &(&str, &str, &str, u64)| {
        (program, class, name) == (feature.name, method.class.as_str(), method.name.as_str())
            && recorded.calls == witnessed.calls + times
    };
    recorded.bytecodes == witnessed.bytecodes && NATIVES_ON_NULL.iter().any(is_listed)
}
