//! Generated programs compute the same under the agent, and its counts are
//! theirs, in every calling context.
//!
//! README.md names the environment variables that choose the programs.

use std::fs;
use std::path::Path;

use asm_witness::counts::{Method, without_probes};
use random_classes::contexts::Contexts;
use random_classes::programs::{Programs, Seeds};
use support::{Jdk, artifacts, each, jdks, number, scratch};

/// How the programs are run under the agent: mostly interpreted, as they come;
/// all compiled by the first compiler; all compiled by the second one.
const MODES: [&[&str]; 3] = [
    &[],
    &["-Xcomp", "-XX:TieredStopAtLevel=1", "-XX:CompileCommand=quiet", COMPILE_ONLY],
    &["-Xcomp", "-XX:-TieredCompilation", "-XX:CompileCommand=quiet", COMPILE_ONLY],
];

const COMPILE_ONLY: &str = "-XX:CompileCommand=compileonly,generated*::*";

/// Runs programs plain, counting and under the agent; returns what is wrong.
fn check(jdk: &Jdk, seeds: Seeds, mode: &[&str], folder: &Path) -> Vec<String> {
    let Seeds { first, count } = seeds;
    let programs = Programs::generate(jdk, seeds, folder);
    let (counts, profile) = (folder.join("counts"), folder.join("programs.subsume"));
    let mut options: Vec<String> = mode.iter().map(|&option| option.to_owned()).collect();
    let printed = programs.run(&options);
    let counting = programs.run_counting(&counts);
    assert_eq!(printed, counting, "rewritten programs of seeds from {first} on compute otherwise");
    let agent = artifacts().agent.display();
    options.push(format!("-agentpath:{agent}=out={}", profile.display()));
    let recorded = programs.run(&options);

    let mut wrong: Vec<String> = printed
        .lines()
        .zip(recorded.lines())
        .filter(|(plain, recorded)| plain != recorded)
        .map(|(plain, recorded)| format!("printed {plain}, under the agent {recorded}"))
        .collect();
    let profile = profile::read_file(&profile).expect("the profile can be read");
    let listed = without_probes(&profile);
    let is_plain = |method: &Method| {
        let signature = format!("{}{}", method.name, method.descriptor);
        ["", &signature].iter().any(|&m| listed.contains(&(&*method.class, m)))
    };
    let expected = Contexts::of_witness(&counts, is_plain);
    let recorded = Contexts::of_profile(&profile);
    wrong.extend(expected.differences(&recorded));
    println!(
        "JDK {}, seeds {first} to {}, {mode:?}: {} contexts, {:?}, {} listed as plain, {} wrong",
        jdk.release,
        first + count - 1,
        expected.len(),
        expected.sum(),
        profile.skipped.iter().filter(|s| s.class.starts_with("generated.s")).count(),
        wrong.len()
    );
    assert!(expected.len() as u64 >= count, "the programs execute nothing");
    wrong
}

#[test]
fn generated_programs_count_the_same() {
    let count = number("SUBSUME_GENERATED_PROGRAMS", 2000);
    let first = number("SUBSUME_GENERATED_SEED", 1);
    // Each mode has its own programs.
    let share = count.div_ceil(MODES.len() as u64);
    let parts = || MODES.iter().zip((first..first + count).step_by(share as usize));
    let cases: Vec<_> =
        jdks().iter().flat_map(|jdk| parts().map(move |(mode, seed)| (jdk, mode, seed))).collect();
    let programs_wrong = each(&cases, |&(jdk, mode, seed)| {
        let folder = scratch(&format!("programs-{}-{seed}", jdk.release));
        let seeds = Seeds { first: seed, count: share.min(first + count - seed) };
        let wrong = check(jdk, seeds, mode, &folder);
        if wrong.is_empty() {
            fs::remove_dir_all(&folder).expect("the files of the run can be removed");
        }
        for what in wrong.iter().take(5) {
            println!("{what}");
        }
        wrong.len()
    });
    assert_eq!(
        programs_wrong.iter().sum::<usize>(),
        0,
        "programs are recorded otherwise than they run"
    );
}
